import { shareService } from '@stepwright/local-server/vitest'
import type { TestProject } from 'vitest/node'
import { startSns } from '../sns.ts'
import type {} from './provided.ts'

/** Vitest's global setup: one SNS for the whole run. */
export const setup: (project: TestProject) => Promise<() => Promise<void>> = shareService(
  'sns',
  () => startSns(),
  (project, { clientConfig }) => project.provide('stepwrightSns', clientConfig),
)
