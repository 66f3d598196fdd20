export type { CsvProblem, ProblemCode } from './csv-problem.ts'
export type { Delimiter, Dialect, Encoding, Newline } from './dialect/dialect.ts'
export type { CsvLimits } from './limits.ts'
export { type Detection, type DialectOverrides, detect } from './open/detect.ts'
export type { ColumnMapping, ColumnOptions, ExpectedColumn, FileColumns } from './open/map-columns.ts'
export type { OpenCsvOptions } from './open/open-csv.ts'
export {
  parseRows,
  type ReadChunkOptions,
  type ReadRowsOptions,
  type Row,
  type RowBatch,
  type RowFields,
  readChunk,
  readRows,
} from './read/read-rows.ts'
export {
  type ByteReader,
  type ByteSource,
  type ByteSourceFacts,
  createBytesSource,
  type OpenOptions,
} from './source/byte-source.ts'
export { createFileSource } from './source/file-source.ts'
export { createObjectSource, type ObjectReader, type ObjectVersion } from './source/object-source.ts'
export type { ChunkOptions } from './split/chunk-options.ts'
export type { CsvFile } from './split/csv-file.ts'
export type { DigestKind } from './split/digest.ts'
export type { CsvChunk, CsvVersion, Manifest } from './split/manifest.ts'
export { splitToManifest } from './split/split.ts'
export type { SplitOptions } from './split/split-options.ts'
export {
  type ChunkObject,
  type ObjectManifest,
  type ObjectWriter,
  type SplitToObjectsOptions,
  splitToObjects,
} from './split/split-to-objects.ts'
export { type ItemReaderFinding, type LintOptions, lintForItemReader } from './validate/item-reader.ts'
export { type CsvValidation, type ValidateOptions, validate } from './validate/validate.ts'
export { formatCsv } from './write/format-csv.ts'
export { disarmFormula, rearmFormula } from './write/formula.ts'
