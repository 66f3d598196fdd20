export { GlobalSetupMissingError } from './vitest/provided.ts'
export { type TestBucket, testBucket } from './vitest/test-bucket.ts'
export { testDatabase } from './vitest/test-database.ts'
export { type TestDynamoDb, testDynamoDb } from './vitest/test-dynamodb.ts'
