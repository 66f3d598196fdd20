import { shareService } from '@stepwright/local-server/vitest'
import type { TestProject } from 'vitest/node'
import { startS3 } from '../s3.ts'
import type {} from './provided.ts'

/** Vitest's global setup: one S3 for the whole run. */
export const setup: (project: TestProject) => Promise<() => Promise<void>> = shareService(
  's3',
  () => startS3(),
  (project, { endpoint, region, credentials }) =>
    project.provide('stepwrightS3', { endpoint, region, credentials }),
)
