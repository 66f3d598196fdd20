import { isDeepStrictEqual } from 'node:util'
import { NotFoundError, type TaskError, TemporaryError } from '@stepwright/errors'
import { IllegalTransitionError, JobCancelledError, StaleAttemptError } from './errors.ts'
import type { Job, JobPart, JobStatus } from './job.ts'
import type { ChangeOutcome, JobEnd, JobStore, TakeOver } from './job-store.ts'
import { asStored } from './stored-json.ts'
import { canMove } from './transitions.ts'

export interface Moved {
  readonly job: Job
  /** False where the same move had been made before: a repeated delivery. */
  readonly moved: boolean
}

/** How long a worker may be silent before another takes its job: thirty of `trackJob`'s heartbeats. */
export const takeOverAfterMs = 60_000

/**
 * Takes a job up in a new attempt; whoever worked on it before can write no more. While its worker gives signs of life
 * the job stays that worker's, and the current attempt is returned: a call that comes late or twice takes nothing away.
 */
export async function beginJob(
  jobs: JobStore,
  jobId: string,
  takeOver: TakeOver = { silentForMs: takeOverAfterMs },
): Promise<Moved> {
  return settle(
    () => jobs.begin(jobId, takeOver),
    job => (job?.status === 'PROCESSING' ? job : refuse(job, jobId, 'PROCESSING')),
  )
}

/**
 * Ends a job. Ending it again in the same way is no error: Step Functions repeats a call whose answer was lost.
 * @throws StaleAttemptError, JobCancelledError, IllegalTransitionError, NotFoundError
 */
export async function endJob(
  jobs: JobStore,
  jobId: string,
  end: Omit<JobEnd, 'silentForMs'>,
): Promise<Moved> {
  return settle(
    () => jobs.end(jobId, end),
    job => (job && isSameEnd(job, end) ? job : refuse(job, jobId, end.status, end.attempt)),
  )
}

/**
 * A worker's sign of life, with its progress in percent.
 * @throws StaleAttemptError, JobCancelledError, IllegalTransitionError, NotFoundError if it should stop working
 */
export async function beatJob(
  jobs: JobStore,
  jobId: string,
  attempt: number,
  progress: number,
): Promise<Moved> {
  return settle(
    () => jobs.beat(jobId, attempt, progress),
    // Nobody works on a job that is pending: whatever attempt it is, it cannot be the job's.
    job => refuse(job, jobId, 'PROCESSING', job?.status === 'PENDING' ? Number.NaN : attempt),
  )
}

/** `beatJob` with a part of the result. */
export async function keepJobPart(
  jobs: JobStore,
  jobId: string,
  attempt: number,
  part: Pick<JobPart, 'part' | 'value'>,
  progress: number,
): Promise<Moved> {
  return settle(
    () => jobs.keepPart(jobId, attempt, part, progress),
    job => refuse(job, jobId, 'PROCESSING', job?.status === 'PENDING' ? Number.NaN : attempt),
  )
}

/** How often a change may be refused although a moment later nothing stands against it. */
const maxTries = 10

async function settle(
  change: () => Promise<ChangeOutcome>,
  explain: (job: Job | undefined) => Job | TaskError | undefined,
): Promise<Moved> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const { applied, job } = await change()
    if (applied && job) return { job, moved: true }
    const reason = explain(job)
    if (reason instanceof Error) throw reason
    if (reason) return { job: reason, moved: false }
    // Refused, and a moment later there is no reason any more: it was moved on in between.
  }
  throw new TemporaryError(`a job was changed by others ${maxTries} times while it was to be changed`)
}

function refuse(
  job: Job | undefined,
  jobId: string,
  to: JobStatus,
  attempt: number | undefined = job?.attempt,
): TaskError | undefined {
  if (job === undefined) return new NotFoundError(`there is no job ${jobId}`)
  if (job.status === 'CANCELLED') return new JobCancelledError(`job ${jobId} was cancelled`)
  if (job.attempt !== attempt) {
    return new StaleAttemptError(
      `only attempt ${job.attempt} of job ${jobId} may work on it: stop working on it as another`,
      { details: { current: job.attempt, ...(Number.isInteger(attempt) && { attempt }) } },
    )
  }
  if (canMove(job.status, to)) return undefined
  return new IllegalTransitionError(`job ${jobId} is ${job.status} and cannot become ${to}`, {
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
