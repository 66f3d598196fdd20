import { type JobStatus, jobStatuses } from './job.ts'

export type FinalStatus = 'COMPLETED' | 'FAILED' | 'TIMEOUT' | 'CANCELLED'

/** A final status is never left: a retry is a new job. A worker that takes over keeps PROCESSING. */
const next: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  PENDING: ['PROCESSING', 'FAILED', 'TIMEOUT', 'CANCELLED'],
  PROCESSING: ['PROCESSING', 'COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  TIMEOUT: [],
  CANCELLED: [],
}

export function canMove(from: JobStatus, to: JobStatus): boolean {
  return next[from].includes(to)
}

/** The statuses that `to` can follow. */
export function statusesBefore(to: JobStatus): readonly JobStatus[] {
  return jobStatuses.filter(from => canMove(from, to))
}

export function isFinal(status: JobStatus): status is FinalStatus {
  return next[status].length === 0
}

export const finalStatuses: readonly JobStatus[] = jobStatuses.filter(isFinal)
