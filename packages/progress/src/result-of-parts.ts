import type { Job } from './job.ts'
import type { JobStore } from './job-store.ts'

/** Makes the result of a job from the values of its parts, in their order. */
export type ToResult = (job: Job, parts: readonly unknown[]) => unknown

/** The port `resultOf` of `updateStatus` for jobs that keep their results in parts. */
export function createResultOfParts(
  jobs: Pick<JobStore, 'listParts'>,
  toResult: ToResult = (_, parts) => parts,
): (job: Job) => Promise<unknown> {
  return async job => {
    const kept = await jobs.listParts(job.id)
    const ordered = kept.toSorted((a, b) => a.part - b.part).map(({ value }) => value)
    return toResult(job, ordered)
  }
}
