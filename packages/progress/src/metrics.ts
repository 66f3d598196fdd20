import type { AppDeclaration } from '@stepwright/app'
import type { AnyFunction } from '@stepwright/app/functions'

export interface JobFunctions {
  /** Functions of `startJob` and `retryJob`. */
  readonly starts: readonly AnyFunction[]
  /** Functions of `updateStatus` and `endStuckJobs`. */
  readonly ends: readonly AnyFunction[]
  /** Functions of `watchJobs`. */
  readonly watches: readonly AnyFunction[]
}

/** The metrics that the handlers of jobs publish, for the `metrics` of an app: its alarms can use them. */
export function jobMetrics({
  starts,
  ends,
  watches,
}: JobFunctions): Readonly<NonNullable<AppDeclaration['metrics']>> {
  return {
    AsyncProcessingStarted: { description: 'Jobs that were started.', by: starts },
    AsyncProcessingCompleted: { description: 'Jobs that were completed.', by: ends },
    AsyncProcessingFailed: {
      description: 'Jobs that failed, or could not be launched.',
      by: [...ends, ...starts],
    },
    AsyncProcessingTimeout: { description: 'Jobs that took too long.', by: ends },
    ProcessingDuration: {
      description: 'How long the last attempt of a job took.',
      unit: 'Milliseconds',
      by: ends,
    },
    QueueDepth: { description: 'Jobs that wait for a worker.', by: watches },
    StaleJobs: { description: 'Jobs whose workers are silent, or that take too long.', by: watches },
  }
}

export interface JobAlarmLimits {
  /** Of the jobs that were started, how many may fail, in percent. */
  readonly failedPercent: number
  /** Of the jobs that were started, how many may take too long, in percent. */
  readonly timeoutPercent: number
  /** How long jobs may take on average. */
  readonly averageSeconds: number
  /** How many jobs may wait for a worker. */
  readonly waiting: number
  /** Where the runbooks are: `error-rate.md`, `timeout-rate.md`, `slow.md`, `queue-depth.md`. @default none */
  readonly runbooks?: string
}

/** Alarms on the metrics of `jobMetrics`, for the `alarms` of an app. */
export function jobAlarms({
  failedPercent,
  timeoutPercent,
  averageSeconds,
  waiting,
  runbooks,
}: JobAlarmLimits): Readonly<NonNullable<AppDeclaration['alarms']>> {
  const runbook = (page: string): { readonly runbook?: string } =>
    runbooks === undefined ? {} : { runbook: `${runbooks}${page}` }
  return {
    ErrorRate: {
      description: `More than ${failedPercent} % of the jobs failed: look at the errors of the worker.`,
      ...runbook('error-rate.md'),
      metric: { metric: 'AsyncProcessingFailed', percentOf: 'AsyncProcessingStarted' },
      above: failedPercent,
    },
    TimeoutRate: {
      description: `More than ${timeoutPercent} % of the jobs took too long: look at how long their parts take.`,
      ...runbook('timeout-rate.md'),
      metric: { metric: 'AsyncProcessingTimeout', percentOf: 'AsyncProcessingStarted' },
      above: timeoutPercent,
    },
    SlowProcessing: {
      description: `Jobs take more than ${averageSeconds} s on average: look at how long their parts take.`,
      ...runbook('slow.md'),
      metric: { metric: 'ProcessingDuration' },
      statistic: 'average',
      above: averageSeconds * 1000,
    },
    DeepQueue: {
      description: `More than ${waiting} jobs wait: the workers are too few, or none is launched.`,
      ...runbook('queue-depth.md'),
      metric: { metric: 'QueueDepth' },
      statistic: 'maximum',
      above: waiting,
    },
  }
}
