import { estimateCompletion, type QueuePlace } from './estimate-completion.ts'
import type { Job, JobError, JobStatus } from './job.ts'

/** What a job's owner sees of it; times in ISO 8601. */
export interface JobView {
  readonly jobId: string
  readonly status: JobStatus
  readonly type: string
  readonly progress: number
  readonly targetId: string | null
  readonly result: unknown
  readonly error: JobError | null
  readonly retryCount: number
  /** The job that this one tries again. */
  readonly retryOf: string | null
  /** For the worker's tracker: see `trackJob`. */
  readonly attempt: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly completedAt: string | null
  readonly estimatedCompletionTime: string
  /** Which in the queue it is, counted from 1, where somebody asked the queue; null if it does not wait. */
  readonly position: number | null
}

/** A job with what it was started with. */
export interface JobDetail extends JobView {
  readonly params: unknown
}

/** A job in a list: without its result, which may be large. `getJob` has it. */
export interface JobSummary extends Omit<JobView, 'result'> {
  /** What the port `summaryOf` makes of the job, or null. */
  readonly summary: unknown
}

export function toJobView(job: Job, nowMs: number, place?: QueuePlace): JobView {
  return {
    jobId: job.id,
    status: job.status,
    type: job.type,
    progress: job.progress,
    targetId: job.targetId,
    result: job.result,
    error: job.error,
    retryCount: job.retryCount,
    retryOf: job.retryOf,
    attempt: job.attempt,
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
    completedAt: job.completedAt?.toISOString() ?? null,
    estimatedCompletionTime: estimateCompletion(job, nowMs, { place }).toISOString(),
    position: place?.position ?? null,
  }
}
