import type { App } from '@stepwright/app'
import { app as asyncGeneration } from '@stepwright/async-generation'
import { app as campaignImport } from '@stepwright/campaign-import'
import { app as csvProcessor } from '@stepwright/csv-processor/app'
import { app as dataTransform } from '@stepwright/data-transform/app'

/** The apps that are deployed. */
export const apps: readonly App[] = [csvProcessor, campaignImport, asyncGeneration, dataTransform]
