export { GlobalSetupMissingError } from './vitest/provided.ts'
export { testDatabase } from './vitest/test-database.ts'
