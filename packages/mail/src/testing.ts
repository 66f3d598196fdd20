export { type OutboxUnderTest, testOutboxStore } from './test-outbox.ts'
export { testSuppressions } from './test-suppressions.ts'
