import { executionArnOf } from './execution-request.ts'
import type { Execution, ExecutionCallOptions, Executions, StartedExecution } from './executions.ts'

/**
 * The executions of one state machine, by their names. A name is taken for good, so that work whose execution died is
 * started again under another: each restart has its number, and a number starts once.
 */
export interface WorkflowExecutions {
  /** @throws DataValidationError for a name or an input that no execution can have */
  start(
    request: {
      readonly name: string
      readonly input: unknown
      /** Which start again of the same work it is. @default 0, the first start */
      readonly restart?: number
    },
    options?: ExecutionCallOptions,
  ): Promise<StartedExecution>
  /** Ends running executions as ABORTED; one that has ended, or never was, is left as it is. */
  stop(
    request: {
      readonly name: string
      /** How often the work was started again: all of its executions are ended. @default 0 */
      readonly restarts?: number
      readonly error?: string
      readonly cause?: string
    },
    options?: ExecutionCallOptions,
  ): Promise<void>
  /** Undefined if there is no such execution. */
  describe(
    name: string,
    options?: ExecutionCallOptions & { readonly restart?: number },
  ): Promise<Execution | undefined>
}

export interface WorkflowExecutionsOptions {
  readonly executions: Executions
  readonly stateMachineArn: string
}

export function createWorkflowExecutions({
  executions,
  stateMachineArn,
}: WorkflowExecutionsOptions): WorkflowExecutions {
  const arnOf = (name: string, restart: number): string =>
    executionArnOf(stateMachineArn, restartName(name, restart))
  return {
    start: ({ name, restart = 0, input }, options) =>
      executions.start({ stateMachineArn, name: restartName(name, restart), input }, options),
    async stop({ name, restarts = 0, ...why }, options) {
      for (let restart = 0; restart <= restarts; restart += 1) {
        await executions.stop({ executionArn: arnOf(name, restart), ...why }, options)
      }
    },
    describe: (name, { restart = 0, ...options } = {}) => executions.describe(arnOf(name, restart), options),
  }
}

/** Whether an execution goes on by itself: what it works at must not be started again. */
export function isAtWork(execution: Execution | undefined): boolean {
  return execution?.status === 'RUNNING' || execution?.status === 'PENDING_REDRIVE'
}

function restartName(name: string, restart: number): string {
  return restart === 0 ? name : `${name}-${restart}`
}
