export { GlobalSetupMissingError, provided } from './vitest/provided.ts'
export { shareService } from './vitest/shared-service.ts'
