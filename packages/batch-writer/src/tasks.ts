export {
  type ChunkEntry,
  type ChunkReport,
  type EntrySchema,
  type WriteChunkOptions,
  writeChunk,
} from './write-chunk.ts'
