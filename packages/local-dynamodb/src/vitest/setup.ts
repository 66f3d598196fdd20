import { shareService } from '@stepwright/local-server/vitest'
import type { TestProject } from 'vitest/node'
import { startDynamoDb } from '../dynamodb.ts'
import type {} from './provided.ts'

/** Vitest's global setup: one DynamoDB for the whole run. */
export const setup: (project: TestProject) => Promise<() => Promise<void>> = shareService(
  'dynamodb',
  () => startDynamoDb(),
  (project, { endpoint, region, credentials }) =>
    project.provide('stepwrightDynamoDb', { endpoint, region, credentials }),
)
