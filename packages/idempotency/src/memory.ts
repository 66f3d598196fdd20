export {
  createMemoryExecutions,
  type MemoryExecutions,
  type MemoryExecutionsOptions,
} from './memory-executions.ts'
export {
  createMemoryIdempotencyStore,
  type MemoryIdempotencyStoreOptions,
  type MemoryRecord,
} from './memory-store.ts'
