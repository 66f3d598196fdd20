export { type PurgeKeysInput, type PurgeKeysOutput, type PurgeKeysPorts, purgeKeys } from './purge-keys.ts'
export {
  type NamedExecution,
  type StartExecutionOptions,
  type StartExecutionOutput,
  type StartExecutionPorts,
  startExecution,
} from './start-execution.ts'
