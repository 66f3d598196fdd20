export {
  type ByteReader,
  type ByteSource,
  type ByteSourceFacts,
  createBytesSource,
  type OpenOptions,
} from './byte-source.ts'
export { type Detection, detect } from './detect.ts'
export { createFileSource } from './file-source.ts'
export { type Chunk, type Manifest, parseManifest } from './manifest.ts'
export {
  parseRows,
  type ReadChunkOptions,
  type ReadRowsOptions,
  type Row,
  type RowBatch,
  readChunk,
  readRows,
} from './read-rows.ts'
export { type SplitOptions, splitToManifest } from './split.ts'
