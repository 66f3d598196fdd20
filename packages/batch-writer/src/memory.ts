export { createMemoryRowSink, type MemoryRowSink, type MemoryRowSinkOptions } from './memory-row-sink.ts'
