export type { CsvPorts, CsvStore } from './csv-store.ts'
export {
  readManifest,
  type SplitCsvInput,
  type SplitCsvOptions,
  type SplitCsvOutput,
  splitCsv,
} from './split-csv.ts'
export { type ValidateCsvInput, type ValidateCsvOptions, validateCsv } from './validate-csv.ts'
