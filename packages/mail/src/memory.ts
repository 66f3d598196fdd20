export { createMemoryOutbox, type MemoryOutbox, type MemoryOutboxOptions } from './memory-outbox.ts'
export { createMemorySuppressions, type MemorySuppressions } from './memory-suppressions.ts'
