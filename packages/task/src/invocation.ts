import { type TaskError, toTaskError } from '@stepwright/errors'
import { announceBuilding } from './announced-errors.ts'
import { runInTime } from './deadline.ts'
import { describeFailure, type Redact } from './failure-log.ts'
import type { AnyTask, PortsOf } from './task.ts'
import type {
  Classifiers,
  LogFields,
  MetricUnit,
  TaskContext,
  TaskLogger,
  TaskMetrics,
} from './task-context.ts'

/** The part of Lambda's context that the adapters read; a test may leave all of it out. */
export interface LambdaContext {
  readonly awsRequestId?: string
  readonly getRemainingTimeInMillis?: () => number
}

/** Where an invocation's log lines go: Powertools' `Logger` has this shape. */
export interface LogSink {
  debug(message: string, ...fields: LogFields[]): unknown
  info(message: string, ...fields: LogFields[]): unknown
  warn(message: string, ...fields: LogFields[]): unknown
  error(message: string, ...fields: LogFields[]): unknown
}

/** Where an invocation's metrics go: Powertools' `Metrics` has this shape. */
export interface MetricsSink {
  addMetric(name: string, unit: MetricUnit, value: number): unknown
  addMetadata(key: string, value: string): unknown
  publishStoredMetrics(): unknown
}

export interface Sinks {
  readonly logger: LogSink
  readonly metrics: MetricsSink
}

export interface InvocationOptions<T extends AnyTask> {
  /**
   * The ports, or how to build them: at the first call, kept for all later ones; again if that failed. What building
   * throws is announced as a retryable error that the task declares, or as `UnexpectedError`.
   */
  readonly ports?: PortsOf<T> | (() => PortsOf<T> | Promise<PortsOf<T>>)
  /**
   * Who knows the errors of the services that the task uses, asked when it has failed: `() => [classifyAws]` of
   * `@stepwright/errors/aws`. SQLSTATEs, HTTP statuses and codes of Node are known without. @default nobody
   */
  readonly classifiers?: Classifiers
  /** @default Powertools' Logger, with the task's name as its service */
  readonly logger?: LogSink
  /** @default Powertools' Metrics in the namespace of `POWERTOOLS_METRICS_NAMESPACE`, else "Stepwright", with the task's name as its service */
  readonly metrics?: MetricsSink
  /** What every line of a call's log has, of the event that it was called with: a correlation id. @default nothing */
  readonly logFields?: (event: unknown) => LogFields
  /** What of an error's details may be logged. @default the keys, with every value masked */
  readonly redact?: Redact
  /** How long before Lambda's own limit `signal` aborts. @default a tenth of the time, at most 1000 */
  readonly deadlineMarginMs?: number
  /** @default Date.now */
  readonly now?: () => number
}

/**
 * Called with every failure as it was thrown, messages and all, where somebody on the same machine wants to see it: the
 * local cloud sets it in the processes of functions. Nothing else sees those messages.
 */
const failureWatch: unique symbol = Symbol.for('@stepwright/task failure')

interface FailureWatch {
  readonly [failureWatch]?: (task: string, error: TaskError) => void
}

export type Invoke = (input: unknown, lambda: LambdaContext | undefined) => Promise<unknown>

/**
 * Runs a task once per call, with its ports, log, metrics and deadline. `finish` turns its result into the
 * answer, and may refuse it. Nothing of one call is kept on an
 * object that another one uses: calls may overlap in one process.
 */
export function createInvocation<T extends AnyTask>(
  task: T,
  sinks: Sinks,
  finish: (result: unknown) => unknown,
  options: InvocationOptions<T>,
): Invoke {
  const { classifiers, redact, deadlineMarginMs, logFields, now = Date.now } = options
  const getPorts = keepOnceBuilt(task, options)
  const runWith = async (input: unknown, context: TaskContext) =>
    finish(await task.run(input, await getPorts(), context))

  return async (input, lambda = {}) => {
    const requestId = lambda.awsRequestId ?? 'local'
    const log = bindLogger(sinks, {
      // asked before the event was checked: whatever it is, the call ends as it would without
      ...spare(() => logFields?.(input)),
      task: task.name,
      function_request_id: requestId,
    })
    const recorded = recordMetrics()
    const started = now()
    let failure: TaskError | undefined
    try {
      return await runInTime(lambda.getRemainingTimeInMillis, deadlineMarginMs, signal =>
        runWith(input, {
          signal,
          logger: log,
          metrics: recorded,
          now,
          remainingMs: lambda.getRemainingTimeInMillis ?? (() => Number.POSITIVE_INFINITY),
          requestId,
          classifiers,
        }),
      )
    } catch (thrown) {
      const error = toTaskError(thrown)
      failure = error
      ;(globalThis as FailureWatch)[failureWatch]?.(task.name, error)
      spare(() =>
        log[error.kind === 'business' ? 'warn' : 'error'](`${task.name} failed`, {
          error: describeFailure(error, redact),
        }),
      )
      throw error
    } finally {
      recorded.add(failure ? 'TaskFailed' : 'TaskSucceeded', 1)
      recorded.add('TaskDuration', now() - started, 'Milliseconds')
      await recorded.publish(sinks.metrics, requestId, failure?.name).catch(() => {
        log.warn(`the metrics of ${task.name} were not written`)
      })
    }
  }
}

/** A log that cannot be written must not change how a call ends. */
export function spare<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function keepOnceBuilt<T extends AnyTask>(
  task: T,
  { ports, classifiers }: InvocationOptions<T>,
): () => Promise<PortsOf<T>> | PortsOf<T> {
  if (typeof ports !== 'function') return () => ports as PortsOf<T>
  const build = ports as () => PortsOf<T> | Promise<PortsOf<T>>
  let built: Promise<PortsOf<T>> | undefined
  return () => {
    built ??= (async () => build())().catch(async thrown => {
      built = undefined // the next call tries again
      throw announceBuilding(task.errors, thrown, await classifiers?.())
    })
    return built
  }
}

/** Powertools keeps request attributes on the logger itself; here every line brings its own. */
function bindLogger(sinks: Sinks, attributes: Readonly<Record<string, unknown>>): TaskLogger {
  const at =
    (level: keyof LogSink): TaskLogger[typeof level] =>
    (message, fields) =>
      spare(() => sinks.logger[level](message, { ...fields, ...attributes }))
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

interface RecordedMetrics extends TaskMetrics {
  publish(sink: MetricsSink, requestId: string, error: string | undefined): Promise<void>
}

/** Holds an invocation's metrics until its end, then hands them over in one go: no other call can come between. */
function recordMetrics(): RecordedMetrics {
  const entries: [name: string, unit: MetricUnit, value: number][] = []
  return {
    add(name, value, unit = 'Count') {
      entries.push([name, unit, value])
    },
    async publish(sink, requestId, error) {
      sink.addMetadata('request_id', requestId)
      if (error) sink.addMetadata('error', error)
      for (const entry of entries) sink.addMetric(...entry)
      await sink.publishStoredMetrics()
    },
  }
}
