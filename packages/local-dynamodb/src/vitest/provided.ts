import type { DynamoDb } from '../dynamodb.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stepwrightDynamoDb: Pick<DynamoDb, 'endpoint' | 'region' | 'credentials'> | undefined
  }
}
