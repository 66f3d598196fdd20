import type { Job } from './job.ts'

/** The newest first. */
export function byNewest(a: Pick<Job, 'createdAt' | 'id'>, b: Pick<Job, 'createdAt' | 'id'>): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1)
}

/** Whose turn it is: the highest priority first, then the oldest. */
export function byTurn(a: Job, b: Job): number {
  return b.priority - a.priority || byNewest(b, a)
}
