import middy from '@middy/core'
import { PayloadTooLargeError, type TaskError } from '@stepwright/errors'
import { createInvocation, type InvocationOptions, type LambdaContext } from './invocation.ts'
import { powertoolsFor } from './powertools.ts'
import { toResultJson } from './result-json.ts'
import type { AnyTask, OutputOf } from './task.ts'
import { toWireError } from './wire-error.ts'

export type { Redact } from './failure-log.ts'
export type { InvocationOptions, LambdaContext, LogSink, MetricsSink } from './invocation.ts'

export interface LambdaOptions<T extends AnyTask> extends InvocationOptions<T> {
  /** A result above it fails with `PayloadTooLargeError`. @default 262,144, the limit of a state's payload */
  readonly maxResponseBytes?: number
}

/** A Lambda handler that takes middy's middlewares. */
export interface LambdaHandler<Output> {
  (event: unknown, context?: LambdaContext): Promise<Output>
  use(middleware: LambdaMiddleware | LambdaMiddleware[]): LambdaHandler<Output>
}

interface LambdaMiddleware {
  // biome-ignore lint/suspicious/noExplicitAny: middy's request, whose types would pull in all of AWS's
  readonly before?: (request: any) => unknown
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly after?: (request: any) => unknown
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly onError?: (request: any) => unknown
}

/**
 * The task as a Lambda handler. It fails with the errors that the task announces, under names that survive
 * bundling; their code and details travel in the message, for `parseCause` to find.
 */
export function toLambdaHandler<T extends AnyTask>(
  task: T,
  options: LambdaOptions<T> = {},
): LambdaHandler<OutputOf<T>> {
  const { maxResponseBytes = 262_144 } = options
  const invoke = createInvocation(
    task,
    powertoolsFor(task.name, options),
    result => guardSize(task.name, result, maxResponseBytes),
    options,
  )
  const handler = middy(
    async (event: unknown, context: LambdaContext) => {
      try {
        return await invoke(event, context)
      } catch (error) {
        throw toWireError(error as TaskError)
      }
    },
    { timeoutEarlyInMillis: 0 }, // the invocation has a deadline of its own
  )
  return handler as unknown as LambdaHandler<OutputOf<T>>
}

function guardSize(task: string, result: unknown, maxBytes: number): unknown {
  const bytes = Buffer.byteLength(toResultJson(task, result) ?? '')
  if (bytes <= maxBytes) return result
  throw new PayloadTooLargeError(
    `the result of ${task} has ${bytes} bytes, and at most ${maxBytes} can be passed on`,
    {
      details: { bytes, maxBytes },
    },
  )
}
