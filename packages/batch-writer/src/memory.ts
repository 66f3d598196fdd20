export { createMemorySink, type MemorySink, type MemorySinkOptions } from './memory-sink.ts'
