export {
  type ByteReader,
  type ByteSource,
  type ByteSourceFacts,
  createBytesSource,
  type OpenOptions,
} from './byte-source.ts'
export type { CsvProblem, ProblemCode } from './csv-problem.ts'
export { type Detection, type DialectOverrides, detect, detectSample } from './detect.ts'
export type { Delimiter, Dialect, Encoding, Newline } from './dialect.ts'
export { createFileSource } from './file-source.ts'
export { type ItemReaderFinding, type LintOptions, lintForItemReader } from './item-reader.ts'
export type { CsvLimits } from './limits.ts'
export { type Chunk, type Manifest, parseManifest } from './manifest.ts'
export { createObjectSource, type ObjectReader } from './object-source.ts'
export type { OpenCsvOptions } from './open-csv.ts'
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
export {
  type ChunkObject,
  createDirectoryWriter,
  type ObjectManifest,
  type ObjectWriter,
  type SplitToObjectsOptions,
  splitToObjects,
} from './split-to-objects.ts'
export { type CsvValidation, type ValidateOptions, validate } from './validate.ts'
