import { randomBytes } from 'node:crypto'
import { provided } from '@stepwright/local-server/vitest'
import { inject } from 'vitest'
import type { DynamoDb } from '../dynamodb.ts'
import type {} from './provided.ts'

export interface TestDynamoDb {
  /** For `new DynamoDBClient(clientConfig)`. */
  readonly clientConfig: Pick<DynamoDb, 'endpoint' | 'region' | 'credentials'>
  /** The name that a table has in this test file only. */
  tableName(name: string): string
}

/** The DynamoDB that the global setup `./vitest/setup` started, with table names of the calling test file's own. */
export function testDynamoDb(): TestDynamoDb {
  const clientConfig = provided(inject('stepwrightDynamoDb'), '@stepwright/local-dynamodb/vitest/setup')
  const prefix = randomBytes(6).toString('hex')
  return { clientConfig, tableName: name => `${prefix}-${name}` }
}
