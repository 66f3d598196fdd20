export { csvFileSchema } from './split/csv-file.ts'
export { chunkSchema } from './split/manifest.ts'
export {
  type ChunkReader,
  type ChunkReaderOptions,
  type CsvChunkEntry,
  createChunkReader,
} from './tasks/chunk-reader.ts'
export type { CsvInput } from './tasks/csv-input.ts'
export { type CsvPorts, type CsvStore, csvTaskErrors } from './tasks/csv-store.ts'
export { type FileError, toFileError } from './tasks/file-error.ts'
export { readManifest } from './tasks/manifest-store.ts'
export { type SplitCsvInput, type SplitCsvOptions, type SplitCsvOutput, splitCsv } from './tasks/split-csv.ts'
export {
  type ManifestPlace,
  type ValidateCsvInput,
  type ValidateCsvOptions,
  type ValidateCsvOutput,
  validateCsv,
} from './tasks/validate-csv.ts'
