export { CsvProcessor } from './csv-processor.ts'
export { MigrateDatabase } from './migrate-database.ts'
export { StartProcessing } from './start-processing.ts'
