import { shareService } from '@stepwright/local-server/vitest'
import type { TestProject } from 'vitest/node'
import { startEventBridge } from '../eventbridge.ts'
import type {} from './provided.ts'

/** Vitest's global setup: one EventBridge for the whole run. */
export const setup: (project: TestProject) => Promise<() => Promise<void>> = shareService(
  'eventbridge',
  () => startEventBridge(),
  (project, { clientConfig }) => project.provide('stepwrightEventBridge', clientConfig),
)
