import type { AnyApp } from '@stepwright/app'
import { app as campaignImport } from '@stepwright/campaign-import'
import { app as csvProcessor } from '@stepwright/csv-processor/app'

/** The apps that are deployed. */
export const apps: readonly AnyApp[] = [csvProcessor, campaignImport]
