export { type ExecutionsUnderTest, testExecutions } from './test-executions.ts'
export { type StoreUnderTest, testIdempotencyStore } from './test-idempotency-store.ts'
