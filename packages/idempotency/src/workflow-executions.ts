import { executionArnOf } from './execution-request.ts'
import type { Execution, ExecutionCallOptions, Executions, StartedExecution } from './executions.ts'

/** The executions of one state machine, by their names. */
export interface WorkflowExecutions {
  /** @throws DataValidationError for a name or an input that no execution can have */
  start(
    request: { readonly name: string; readonly input: unknown },
    options?: ExecutionCallOptions,
  ): Promise<StartedExecution>
  /** Ends a running execution as ABORTED; one that has ended, or never was, is left as it is. */
  stop(
    request: { readonly name: string; readonly error?: string; readonly cause?: string },
    options?: ExecutionCallOptions,
  ): Promise<void>
  /** Undefined if there is no such execution. */
  describe(name: string, options?: ExecutionCallOptions): Promise<Execution | undefined>
}

export interface WorkflowExecutionsOptions {
  readonly executions: Executions
  readonly stateMachineArn: string
}

export function createWorkflowExecutions({
  executions,
  stateMachineArn,
}: WorkflowExecutionsOptions): WorkflowExecutions {
  const arnOf = (name: string): string => executionArnOf(stateMachineArn, name)
  return {
    start: (request, options) => executions.start({ ...request, stateMachineArn }, options),
    stop: ({ name, ...why }, options) => executions.stop({ executionArn: arnOf(name), ...why }, options),
    describe: (name, options) => executions.describe(arnOf(name), options),
  }
}
