import type { StandardSchemaV1 } from '@standard-schema/spec'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { idempotencyTaskErrors } from './task-errors.ts'
import type { WorkflowExecutions } from './workflow-executions.ts'

export interface StartExecutionPorts {
  readonly workflow: Pick<WorkflowExecutions, 'start'>
}

export interface StartExecutionOutput {
  readonly executionArn: string
  /** The execution's name. */
  readonly executionId: string
  /** False if the name was taken: the work has been started before. */
  readonly started: boolean
}

export interface NamedExecution {
  readonly name: string
  readonly input?: unknown
}

export interface StartExecutionOptions<Event> {
  /** The handler's name. @default 'start-execution' */
  readonly name?: string
  /** What the handler is called with, such as an S3 event. @default `{ name, input }` */
  readonly event: StandardSchemaV1<unknown, Event>
  /** The same for the same work: `executionName`, for an S3 event. */
  readonly executionName: (event: Event) => string
  /** What the state machine is given. @default the event */
  readonly executionInput?: (event: Event) => unknown
}

/**
 * Starts a state machine once by name. A second call of the same name starts nothing and succeeds: "already exists"
 * is handled here.
 */
export function startExecution(): Task<NamedExecution, StartExecutionOutput, StartExecutionPorts>
export function startExecution<Event>(
  options: StartExecutionOptions<Event>,
): Task<Event, StartExecutionOutput, StartExecutionPorts>
export function startExecution(
  options: StartExecutionOptions<NamedExecution> = byName,
): Task<NamedExecution, StartExecutionOutput, StartExecutionPorts> {
  const {
    name = 'start-execution',
    event,
    executionName,
    executionInput = (given: unknown) => given,
  } = options
  return defineTask({
    name,
    description: 'Starts an execution of a state machine, once by its name.',
    idempotent: true,
    needs: {
      ports: { workflow: 'Starts executions of the state machine.' },
      permissions: [{ actions: ['states:StartExecution'], on: 'the state machine' }],
    },
    input: event,
    output: z.object({ executionArn: z.string(), executionId: z.string(), started: z.boolean() }),
    errors: idempotencyTaskErrors,
    async run(given, { workflow }: StartExecutionPorts, { logger, signal }) {
      const executionId = executionName(given)
      const request = { name: executionId, input: executionInput(given) }
      const { executionArn, started } = await workflow.start(request, { signal })
      logger.info(started ? 'execution started' : 'execution was started before', { executionId })
      return { executionArn, executionId, started }
    },
  })
}

const byName: StartExecutionOptions<NamedExecution> = {
  event: z.object({ name: z.string(), input: z.optional(z.unknown()) }),
  executionName: ({ name }) => name,
  executionInput: ({ input = {} }) => input,
}
