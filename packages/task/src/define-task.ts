import type { StandardSchemaV1 } from '@standard-schema/spec'
import { DataValidationError, type TaskErrorClass, UnexpectedError } from '@stepwright/errors'
import { announceOnly } from './announced-errors.ts'
import { limitTask } from './limit-task.ts'
import type { TaskMiddleware } from './middleware.ts'
import type { Task, TaskNeeds } from './task.ts'
import { type TaskContext, toTaskContext } from './task-context.ts'
import { validate } from './validate.ts'

export interface TaskDefinition<Input extends StandardSchemaV1, Output extends StandardSchemaV1, Ports> {
  /** Letters, digits, `-` and `_`: it is the service name in logs and metrics. */
  readonly name: string
  /** What it does, in one sentence. */
  readonly description?: string
  /** Its ports and permissions, for people who want to use it. */
  readonly needs?: NeedsOf<NoInfer<Ports>>
  /** Whether a second run, after one that died in the middle, does no harm: Lambda's deaths are then retried. @default false */
  readonly idempotent?: boolean
  /**
   * How long a run may take, where its function may take longer because it serves other states too. Shortly before,
   * `signal` aborts, as it does before the function's own end; then the run fails with `TaskTimeoutError`. So nothing
   * goes on behind a state that gave up waiting. @default as long as the function
   */
  readonly maxSeconds?: number
  readonly input: Input
  readonly output: Output
  /** Every failure that a state machine should be able to tell apart. All others become `UnexpectedError`. */
  readonly errors: readonly TaskErrorClass[]
  /**
   * The first is the outermost. Written as a function (`_task => […]`) and after `run`, it knows the types of
   * the input and the ports: TypeScript reads a bare array before it knows them.
   */
  readonly use?: Middlewares<Input, Ports> | ((task: string) => Middlewares<NoInfer<Input>, NoInfer<Ports>>)
  readonly run: (
    input: StandardSchemaV1.InferOutput<Input>,
    ports: Ports,
    context: TaskContext,
  ) => Promise<StandardSchemaV1.InferInput<Output>> | StandardSchemaV1.InferInput<Output>
}

type Middlewares<Input extends StandardSchemaV1, Ports> = readonly TaskMiddleware<
  StandardSchemaV1.InferOutput<Input>,
  // biome-ignore lint/suspicious/noExplicitAny: most middleware passes on whatever the task returns
  any,
  Ports
>[]

/** `TaskNeeds` with a sentence for each port and for nothing else. */
export interface NeedsOf<Ports> extends TaskNeeds {
  readonly ports: { readonly [Port in keyof Ports]: string }
}

export function defineTask<
  Input extends StandardSchemaV1,
  Output extends StandardSchemaV1,
  Ports = Record<never, never>,
>(
  definition: TaskDefinition<Input, Output, Ports>,
): Task<StandardSchemaV1.InferInput<Input>, StandardSchemaV1.InferOutput<Output>, Ports> {
  const { use: given = [], run, ...facts } = definition
  const { name, input, output, maxSeconds } = facts
  refuseBadName(name)
  const use = typeof given === 'function' ? given(name) : given
  const errors = mergeErrors(name, [...facts.errors, ...use.flatMap(middleware => middleware.errors)])

  const task: Task<StandardSchemaV1.InferInput<Input>, StandardSchemaV1.InferOutput<Output>, Ports> = {
    ...facts,
    errors,
    async run(value, ...[ports, context]) {
      const parsed = await validate(input, value, DataValidationError, `input of ${name}`)
      context?.onInput?.(value, parsed)
      const call = { task: name, input: parsed, ports: ports as Ports, context: toTaskContext(context) }
      const attempt = use.reduceRight<(context?: TaskContext) => Promise<unknown>>(
        (next, middleware) =>
          async (inner = call.context) =>
            middleware.wrap({ ...call, context: inner }, next),
        async (inner = call.context) => run(parsed, call.ports, inner),
      )
      let result: unknown
      try {
        result = await attempt()
      } catch (thrown) {
        throw announceOnly(errors, thrown, await context?.classifiers?.())
      }
      // A result that breaks its own schema is a bug of the task, not of its caller.
      return validate(output, result, UnexpectedError, `output of ${name}`)
    },
  }
  return limitTask(task, maxSeconds)
}

function refuseBadName(name: string): void {
  if (!/^[\w-]{1,64}$/.test(name)) {
    throw new TypeError(
      `a task's name must be 1 to 64 letters, digits, "-" or "_", not ${JSON.stringify(name)}`,
    )
  }
}

/** Each name once. Two classes of one name must agree, or the state machine could honour only one. */
function mergeErrors(task: string, errors: readonly TaskErrorClass[]): readonly TaskErrorClass[] {
  const byName = new Map<string, TaskErrorClass>()
  for (const error of errors) {
    const other = byName.get(error.errorName)
    if (other && JSON.stringify(other.retry) !== JSON.stringify(error.retry)) {
      throw new TypeError(`task ${task} declares two ${error.errorName} with different retry policies`)
    }
    if (error.errorName !== UnexpectedError.errorName) byName.set(error.errorName, error)
  }
  return [...byName.values()]
}
