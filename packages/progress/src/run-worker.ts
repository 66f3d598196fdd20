import { setMaxListeners } from 'node:events'
import { isTaskError, type TaskError, toTaskError } from '@stepwright/errors'
import { classifyAws } from '@stepwright/errors/aws'
import {
  aFunction,
  anObject,
  aSignal,
  assertOptions,
  numberAbove,
  numberFrom,
  type OptionChecks,
  wholeFrom,
} from '@stepwright/errors/options'
import { classifyPostgres } from '@stepwright/errors/postgres'
import { backoffMs, type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import type { Job, JobError } from './job.ts'
import { toJobError } from './job-error.ts'
import type { JobStore } from './job-store.ts'
import { queueRules } from './launch-waiting.ts'
import { beginJob, endJob, takeOverAfterMs } from './move-job.ts'
import { type JobWork, performJob } from './perform-job.ts'

export interface WorkerOptions {
  readonly jobs: JobStore
  /**
   * The work of one job. What it returns is the job's result; if that is undefined, the values of its parts in their
   * order are. A retryable error of the taxonomy is tried again, from the parts that are kept; any other is the end.
   */
  readonly work: (work: JobWork) => Promise<unknown>
  /** How many jobs this process works on at once. @default 1 */
  readonly concurrency?: number
  /** How many jobs all processes work on at once. @default as many as there are workers for */
  readonly capacity?: number
  /** How often a job may be tried. @default 3 */
  readonly maxAttempts?: number
  /** How often the store is asked for jobs while there are none. @default 1000 */
  readonly pollMs?: number
  /** Ends it. @default SIGTERM and SIGINT of the process */
  readonly signal?: AbortSignal
  /** How long jobs may go on after that. Then they are given up, and another process takes them over. @default 25_000 */
  readonly graceMs?: number
  /** Told of failures of the store, after which it goes on. @default process.emitWarning */
  readonly onError?: (error: unknown) => void
  /** @default Date.now */
  readonly now?: () => number
  /** @default setTimeout */
  readonly sleep?: Sleep
  /** Spreads tries. @default Math.random */
  readonly random?: () => number
}

/** As many as PostgreSQL's integers count. */
const anyNumber = 2_147_483_647

const optionChecks: OptionChecks = {
  jobs: anObject,
  work: aFunction,
  concurrency: wholeFrom(1, Number.MAX_SAFE_INTEGER),
  capacity: wholeFrom(1, anyNumber),
  maxAttempts: wholeFrom(1),
  pollMs: numberAbove(0),
  signal: aSignal,
  graceMs: numberFrom(0),
  onError: aFunction,
  now: aFunction,
  sleep: aFunction,
  random: aFunction,
}

/**
 * A worker without Step Functions: takes jobs in their turn, and those of workers that died, works on them, keeps their
 * progress and parts, ends them, and stops when it is told to. Start jobs with `startJob`, a `capacity` and a launcher
 * that does nothing. Any number of processes can run it.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  assertOptions('runWorker', options, optionChecks)
  const { jobs, work, concurrency = 1, capacity = anyNumber, maxAttempts = 3, pollMs = 1000 } = options
  const { signal: given, graceMs = 25_000, onError = warn } = options
  const { now = Date.now, sleep = sleepFor, random = Math.random } = options
  const signals = given === undefined ? listenToSignals() : undefined
  const stopping = given ?? (signals as SignalListener).signal
  const givenUp = new AbortController()
  setMaxListeners(0, stopping, givenUp.signal)
  const running = new Set<Promise<void>>()
  let wake = (): void => {}

  /** Jobs that wait, and those whose workers have been silent for a minute. */
  async function claim(limit: number): Promise<readonly Job[]> {
    const silent = await jobs.findStale({ status: 'PROCESSING', silentForMs: takeOverAfterMs, limit })
    const waiting = await jobs.admit({ ...queueRules, maxRunning: capacity, limit: limit - silent.length })
    const begun = await Promise.all(
      [...silent, ...waiting].map(async ({ id }) => {
        const { job, moved } = await beginJob(jobs, id, {
          silentForMs: takeOverAfterMs,
          keepsProgress: true,
        }).catch(error => (isTaskError(error) && error.kind === 'business' ? skipped : Promise.reject(error)))
        return moved ? job : undefined
      }),
    )
    return begun.filter(job => job !== undefined)
  }

  async function perform(claimed: Job): Promise<void> {
    let { attempt } = claimed
    for (;;) {
      const options = { jobs, job: claimed, attempt, signal: givenUp.signal, sleep, now }
      try {
        const { result, parts } = await performJob(options, work)
        await endJob(jobs, claimed.id, { status: 'COMPLETED', attempt, result: result ?? inOrder(parts) })
        return
      } catch (thrown) {
        if (givenUp.signal.aborted) return
        const error = classify(thrown)
        if (error.kind !== 'retryable' || attempt >= maxAttempts)
          return await fail(claimed.id, attempt, thrown)
      }
      await sleep(backoffMs(attempt, { firstMs: 1000, maxMs: 30_000, random }), givenUp.signal)
      const next = await jobs.begin(claimed.id, { silentForMs: 0, keepsProgress: true })
      if (!next.applied || next.job === undefined) return
      attempt = next.job.attempt
    }
  }

  async function fail(id: string, attempt: number, thrown: unknown): Promise<void> {
    try {
      await endJob(jobs, id, { status: 'FAILED', attempt, error: toOwnersError(thrown) })
    } catch (error) {
      // It was cancelled or taken over: that is its end, or another's matter.
      if (!isTaskError(error) || error.kind !== 'business') throw error
    }
  }

  try {
    while (!stopping.aborted) {
      const claimed = await claim(concurrency - running.size).catch(error => {
        onError(error)
        return []
      })
      for (const job of claimed) {
        const done = perform(job)
          .catch(error => {
            if (!givenUp.signal.aborted) onError(error)
          })
          .finally(() => {
            running.delete(done)
            wake()
          })
        running.add(done)
      }
      // Asked again at once when a job has ended, and after a while when there was nothing to do.
      const freed = new Promise<void>(resolve => {
        wake = resolve
      })
      const pausing = new AbortController()
      const pause = sleep(pollMs, AbortSignal.any([stopping, pausing.signal])).catch(() => {})
      await (running.size < concurrency
        ? Promise.race([pause, freed])
        : Promise.race([freed, aborted(stopping)]))
      pausing.abort()
    }
    const grace = new AbortController()
    const late = sleep(graceMs, grace.signal).then(
      () => givenUp.abort(new Error('the worker was stopped')),
      () => {},
    )
    await Promise.all(running)
    grace.abort()
    await late
  } finally {
    signals?.[Symbol.dispose]()
  }
}

const skipped = { job: undefined, moved: false } as const

function inOrder(parts: ReadonlyMap<number, unknown>): readonly unknown[] | null {
  if (parts.size === 0) return null
  return [...parts].sort(([a], [b]) => a - b).map(([, value]) => value)
}

/** A message of the app's own errors is for the owner; of anything else, only the name is. */
function toOwnersError(thrown: unknown): JobError {
  if (isTaskError(thrown) && thrown.kind === 'business') {
    return { code: thrown.code ?? thrown.name, message: thrown.message }
  }
  return toJobError({ Error: classify(thrown).name }, 'FAILED')
}

function classify(thrown: unknown): TaskError {
  return toTaskError(thrown, classifyAws, classifyPostgres)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

interface SignalListener extends Disposable {
  readonly signal: AbortSignal
}

function listenToSignals(): SignalListener {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, stop)
  return {
    signal: stopping.signal,
    [Symbol.dispose]() {
      for (const name of ['SIGTERM', 'SIGINT'] as const) process.removeListener(name, stop)
    },
  }
}

function warn(error: unknown): void {
  process.emitWarning(`a worker goes on after ${classify(error).name}`, { code: 'STEPWRIGHT_WORKER' })
}
