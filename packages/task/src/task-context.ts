import type { Classifier } from '@stepwright/errors'

/** What a task may use besides its ports. A unit test gives none of it, or just the parts it cares about. */
export interface TaskContext {
  /** Aborts when the Lambda is about to run out of time, or when the job was cancelled. */
  readonly signal: AbortSignal
  readonly logger: TaskLogger
  readonly metrics: TaskMetrics
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds until the Lambda is stopped; Infinity outside Lambda. */
  readonly remainingMs: () => number
  /** The id of this delivery, the same in every log line. */
  readonly requestId: string
  /** Who knows the errors of the services that it uses, besides SQLSTATE; asked when it has failed. @default nobody */
  readonly classifiers?: Classifiers | undefined
}

export type Classifiers = () => readonly Classifier[] | Promise<readonly Classifier[]>

export interface TaskLogger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, unknown>>

export interface TaskMetrics {
  add(name: string, value: number, unit?: MetricUnit): void
}

/** CloudWatch's units that tasks need. @default 'Count' */
export type MetricUnit = 'Count' | 'Seconds' | 'Milliseconds' | 'Bytes' | 'Percent'

function ignore(): void {}
const silentLogger: TaskLogger = { debug: ignore, info: ignore, warn: ignore, error: ignore }
const silentMetrics: TaskMetrics = { add: ignore }

/** What a caller may give of a context, and what it may want to know of the call. */
export interface GivenContext extends Partial<TaskContext> {
  /** Told of an input that passed its schema, as it was given and as the schema made it; refuses it by throwing. */
  readonly onInput?: ((given: unknown, parsed: unknown) => void) | undefined
}

/** A whole context: what is given, and for the rest no deadline, no log and the system's clock. */
export function toTaskContext({ onInput: _, ...given }: GivenContext = {}): TaskContext {
  return {
    signal: given.signal ?? neverAborted(),
    logger: silentLogger,
    metrics: silentMetrics,
    now: Date.now,
    remainingMs: () => Number.POSITIVE_INFINITY,
    requestId: 'local',
    ...given,
  }
}

let quiet: AbortSignal | undefined

/** Made when it is first needed: Node loads abort signals lazily, and a Lambda's cold start has no use for them. */
function neverAborted(): AbortSignal {
  quiet ??= new AbortController().signal
  return quiet
}
