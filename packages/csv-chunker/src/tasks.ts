export type { CsvPorts, CsvStore } from './tasks/csv-store.ts'
export {
  readManifest,
  type SplitCsvInput,
  type SplitCsvOptions,
  type SplitCsvOutput,
  splitCsv,
} from './tasks/split-csv.ts'
export { type ValidateCsvInput, type ValidateCsvOptions, validateCsv } from './tasks/validate-csv.ts'
