export { GlobalSetupMissingError } from './vitest/provided.ts'
export { testDatabase } from './vitest/test-database.ts'
export { type TestDynamoDb, testDynamoDb } from './vitest/test-dynamodb.ts'
