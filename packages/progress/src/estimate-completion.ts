import type { Job } from './job.ts'

export interface EstimateOptions {
  /** How long the whole work takes as long as nothing has been observed. @default 300_000, five minutes */
  readonly defaultMs?: number
  /** Where it waits for a worker. @default it does not */
  readonly place?: QueuePlace | undefined
}

/** Where a job is in the queue. */
export interface QueuePlace {
  /** Counted from 1. */
  readonly position: number
  /** How many jobs run at once. */
  readonly capacity: number
}

/**
 * When the job will be done, at the rate seen in its attempt; once it has ended, when it did.
 * Never in the past for a job that still runs.
 */
export function estimateCompletion(
  job: Pick<Job, 'createdAt' | 'startedAt' | 'updatedAt' | 'completedAt' | 'progress'>,
  nowMs: number,
  { defaultMs = 300_000, place }: EstimateOptions = {},
): Date {
  if (job.completedAt) return job.completedAt
  if (place) {
    // On average a worker becomes free that often.
    return new Date(Math.ceil(nowMs + (place.position / place.capacity) * defaultMs + defaultMs))
  }
  const start = (job.startedAt ?? job.createdAt).getTime()
  const totalAt = (ms: number): number => ((ms - start) * 100) / job.progress
  // An attempt may begin with the progress of the one before, and has no rate until it adds to it.
  if (job.progress === 0 || job.updatedAt.getTime() <= start)
    return new Date(Math.max(start + defaultMs, nowMs))
  const seen = start + totalAt(job.updatedAt.getTime())
  // Overdue: it is slower than it was when progress was last seen.
  return new Date(Math.ceil(seen > nowMs ? seen : Math.max(start + totalAt(nowMs), nowMs)))
}
