import { isTaskError } from '@stepwright/errors'
import {
  aFunction,
  anObject,
  aSignal,
  assertOptions,
  aText,
  numberAbove,
  numberFrom,
  type OptionChecks,
  wholeFrom,
} from '@stepwright/errors/options'
import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import { createCoalescingWriter } from './coalescing-writer.ts'
import type { JobStore } from './job-store.ts'
import { beatJob } from './move-job.ts'
import { toProgress } from './progress.ts'

export interface TrackOptions {
  readonly jobs: JobStore
  readonly jobId: string
  /** The one that the task `updateStatus` gave. */
  readonly attempt: number
  /** Stops the work too, e.g. the task context's. */
  readonly signal?: AbortSignal
  /** At most one write in this time, but for the last one, which is written at once. @default 1000 */
  readonly intervalMs?: number
  /** A sign of life at least this often; how late a cancellation is noticed. @default 2000 */
  readonly heartbeatMs?: number
  /** A write failed, and will be made up for by the next. @default ignored: progress is no reason to fail */
  readonly onWriteError?: (error: unknown) => void
  readonly now?: () => number
  readonly sleep?: Sleep
}

const optionChecks: OptionChecks = {
  jobs: anObject,
  jobId: aText,
  attempt: wholeFrom(0),
  signal: aSignal,
  intervalMs: numberFrom(0),
  heartbeatMs: numberAbove(0),
  onWriteError: aFunction,
  now: aFunction,
  sleep: aFunction,
}

export interface JobTracker {
  /** Aborts when the job was cancelled, taken over or ended by others, with the error that says which. */
  readonly signal: AbortSignal
  /** A percentage; parts are cut off, and what is not a number is ignored. Returns at once. */
  report(progress: number): void
}

/**
 * Runs the work of one attempt: writes its progress and heartbeats, and aborts its signal when it should stop.
 * @throws JobCancelledError, StaleAttemptError, IllegalTransitionError or NotFoundError instead of whatever
 * the work did after such an abort
 */
export async function trackJob<T>(
  options: TrackOptions,
  work: (tracker: JobTracker) => Promise<T>,
): Promise<T> {
  assertOptions('trackJob', options, optionChecks)
  const { jobs, jobId, attempt, signal, intervalMs = 1000, heartbeatMs = 2000 } = options
  const { onWriteError = () => {}, now = Date.now, sleep = sleepFor } = options
  const stopped = new AbortController()
  const finished = new AbortController()
  let progress = 0
  const writer = createCoalescingWriter<number>({
    intervalMs,
    now,
    sleep,
    onError: onWriteError,
    async write(value) {
      try {
        await beatJob(jobs, jobId, attempt, value)
      } catch (error) {
        // The store says no, and always will; anything else may be gone next time.
        if (!isTaskError(error) || error.kind !== 'business') throw error
        stopped.abort(error)
      }
    },
  })

  async function keepBeating(): Promise<void> {
    while (!finished.signal.aborted && !stopped.signal.aborted) {
      writer.put(progress)
      await sleep(heartbeatMs, finished.signal).catch(() => {})
    }
  }

  const beating = keepBeating()
  try {
    return await work({
      signal: signal ? AbortSignal.any([stopped.signal, signal]) : stopped.signal,
      report(reported) {
        progress = Math.max(progress, toProgress(reported))
        if (!stopped.signal.aborted) writer.put(progress)
      },
    })
  } finally {
    finished.abort()
    await beating
    await writer.close()
    stopped.signal.throwIfAborted()
  }
}
