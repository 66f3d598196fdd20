import { isDeepStrictEqual } from 'node:util'
import { NotFoundError, type TaskError } from '@stepwright/errors'
import { IllegalTransitionError, JobCancelledError, StaleAttemptError } from './errors.ts'
import type { Job, JobStatus } from './job.ts'
import type { ChangeOutcome, JobEnd, JobStore } from './job-store.ts'
import { asStored } from './stored-json.ts'
import { canMove } from './transitions.ts'

export interface Moved {
  readonly job: Job
  /** False where the same move had been made before: a repeated delivery. */
  readonly moved: boolean
}

/** Takes a job up in a new attempt; whoever worked on it before can write no more. */
export async function beginJob(jobs: JobStore, id: string): Promise<Moved> {
  return settle(
    () => jobs.begin(id),
    job => refuse(job, id, 'PROCESSING'),
  )
}

/**
 * Ends a job. Ending it again in the same way is no error: Step Functions repeats a call whose answer was lost.
 * @throws StaleAttemptError, JobCancelledError, IllegalTransitionError, NotFoundError
 */
export async function endJob(jobs: JobStore, id: string, end: JobEnd): Promise<Moved> {
  return settle(
    () => jobs.end(id, end),
    job => (job && isSameEnd(job, end) ? job : refuse(job, id, end.status, end.attempt)),
  )
}

/**
 * A worker's sign of life, with its progress in percent.
 * @throws StaleAttemptError, JobCancelledError, IllegalTransitionError, NotFoundError if it should stop working
 */
export async function beatJob(jobs: JobStore, id: string, attempt: number, progress: number): Promise<Moved> {
  return settle(
    () => jobs.beat(id, attempt, progress),
    job => refuse(job, id, 'PROCESSING', attempt),
  )
}

async function settle(
  change: () => Promise<ChangeOutcome>,
  explain: (job: Job | undefined) => Job | TaskError | undefined,
): Promise<Moved> {
  for (;;) {
    const { applied, job } = await change()
    if (applied && job) return { job, moved: true }
    const reason = explain(job)
    if (reason instanceof Error) throw reason
    if (reason) return { job: reason, moved: false }
    // Refused, and a moment later there is no reason any more: it was moved on in between.
  }
}

function refuse(
  job: Job | undefined,
  id: string,
  to: JobStatus,
  attempt: number | undefined = job?.attempt,
): TaskError | undefined {
  if (job === undefined) return new NotFoundError(`there is no job ${id}`)
  if (job.status === 'CANCELLED') return new JobCancelledError(`job ${id} was cancelled`)
  if (job.attempt !== attempt) {
    return new StaleAttemptError(
      `attempt ${attempt} of job ${id} was taken over by attempt ${job.attempt}: stop working on it`,
      { details: { attempt, current: job.attempt } },
    )
  }
  if (canMove(job.status, to)) return undefined
  return new IllegalTransitionError(`job ${id} is ${job.status} and cannot become ${to}`, {
    details: { from: job.status, to },
  })
}

function isSameEnd(
  job: Job,
  { status, attempt = job.attempt, result = null, error = null }: JobEnd,
): boolean {
  return (
    job.status === status &&
    job.attempt === attempt &&
    isDeepStrictEqual(job.result, asStored(result)) &&
    isDeepStrictEqual(job.error, asStored(error))
  )
}
