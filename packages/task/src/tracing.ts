import { context, propagation, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { toTaskError } from '@stepwright/errors'
import type { AnyTask } from './task.ts'

export interface TracingOptions {
  /** @default the global provider's tracer `@stepwright/task` */
  readonly tracer?: Tracer
  /** The field of the input that carries the caller's trace; the task does not see it. @default 'trace' */
  readonly field?: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * The task with a span around each run, below the one whose trace its input carries. A failure is in the span by name
 * and kind, without its message, which may hold what a trace must not.
 */
export function traceTask<T extends AnyTask>(task: T, { tracer, field = 'trace' }: TracingOptions = {}): T {
  const traced: AnyTask = {
    ...task,
    run(input: unknown, ...needs) {
      const { carrier, rest } = takeCarrier(input, field)
      const parent = propagation.extract(context.active(), carrier)
      const using = tracer ?? trace.getTracer('@stepwright/task')
      return using.startActiveSpan(task.name, { kind: SpanKind.CONSUMER }, parent, async span => {
        try {
          return await task.run(rest, ...needs)
        } catch (thrown) {
          const { name, kind } = toTaskError(thrown)
          span.setAttributes({ 'error.type': name, 'stepwright.error.kind': kind })
          span.setStatus({ code: SpanStatusCode.ERROR })
          throw thrown
        } finally {
          span.end()
        }
      })
    },
  }
  return traced as T
}

/** The input with the current trace, for whoever starts an execution; states pass it on as they do any field. */
export function carryTrace<Input extends object>(input: Input, field = 'trace'): Input {
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  return { ...input, [field]: carrier }
}

function takeCarrier(input: unknown, field: string): { carrier: unknown; rest: unknown } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { carrier: {}, rest: input }
  const { [field]: carrier, ...rest } = input as Fields
  return typeof carrier === 'object' && carrier !== null ? { carrier, rest } : { carrier: {}, rest: input }
}
