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
