export {
  type NamedExecution,
  type StartExecutionOptions,
  type StartExecutionOutput,
  type StartExecutionPorts,
  startExecution,
} from './start-execution.ts'
export { idempotencyTaskErrors } from './task-errors.ts'
