import type { Sleep } from '@stepwright/errors/retry'
import type { Job } from './job.ts'
import type { JobStore } from './job-store.ts'
import { keepJobPart } from './move-job.ts'
import { type JobTracker, trackJob } from './track-job.ts'

/** What the work of a job has to do with. */
export interface JobWork extends JobTracker {
  readonly job: Job
  /** What is kept already, by its number, of this job and of those that it tries again. */
  readonly parts: ReadonlyMap<number, unknown>
  /** Keeps a part for good, with the progress that it means. @throws what `signal` aborts with */
  keep(part: number, value: unknown, progress: number): Promise<void>
}

export interface PerformOptions {
  readonly jobs: JobStore
  readonly job: Job
  readonly attempt: number
  readonly signal: AbortSignal
  readonly sleep: Sleep
  readonly now: () => number
}

/** Works on a job in one attempt, from the parts that are kept; gives what the work does, and all parts. */
export async function performJob<Result>(
  { jobs, job, attempt, ...options }: PerformOptions,
  work: (work: JobWork) => Promise<Result>,
): Promise<{ readonly result: Result; readonly parts: ReadonlyMap<number, unknown> }> {
  if (job.retryOf !== null) await jobs.adoptParts(job.id)
  const kept = await jobs.listParts(job.id)
  const parts = new Map(kept.map(({ part, value }) => [part, value]))
  const result = await trackJob({ ...options, jobs, jobId: job.id, attempt }, async tracker => {
    tracker.signal.throwIfAborted()
    return work({
      ...tracker,
      job,
      parts,
      async keep(part, value, progress) {
        await keepJobPart(jobs, job.id, attempt, { part, value }, progress)
        parts.set(part, value)
      },
    })
  })
  return { result, parts }
}
