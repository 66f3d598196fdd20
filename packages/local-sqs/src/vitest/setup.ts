import { shareService } from '@stepwright/local-server/vitest'
import type { TestProject } from 'vitest/node'
import { startSqs } from '../sqs.ts'
import type {} from './provided.ts'

/** Vitest's global setup: one SQS for the whole run. */
export const setup: (project: TestProject) => Promise<() => Promise<void>> = shareService(
  'sqs',
  () => startSqs(),
  (project, { clientConfig }) => project.provide('stepwrightSqs', clientConfig),
)
