import type { Job } from './job.ts'
import type { QueueRules } from './job-store.ts'

/** The newest first. */
export function byNewest(a: Pick<Job, 'createdAt' | 'id'>, b: Pick<Job, 'createdAt' | 'id'>): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1)
}

/** Jobs that occupy a worker, and those that wait for one, in the order in which they get it. */
export interface JobQueue {
  readonly running: readonly Job[]
  readonly waiting: readonly Job[]
}

/**
 * Users take turns: a job's turn is the number of its user's jobs that run or go before it. Of jobs with the same turn
 * the one with the higher priority goes first, which grows while its user waits, then that of the user who was served
 * longest ago. A user's own jobs go by priority, which grows while they wait, and age.
 */
export function toQueue(jobs: readonly Job[], nowMs: number, rules: QueueRules): JobQueue {
  const waits = ({ status, launchedAt }: Job): boolean =>
    status === 'PENDING' && (launchedAt === null || launchedAt.getTime() <= nowMs - rules.relaunchAfterMs)
  const agedPriority = (job: Job, sinceMs: number): number =>
    job.priority + Math.floor((nowMs - sinceMs) / rules.agingMs)
  const ownImportance = (job: Job): number => agedPriority(job, job.createdAt.getTime())

  const running = jobs.filter(job => !waits(job) && occupies(job, nowMs))
  const turns = new Map<string, number>()
  const takeTurn = ({ userId }: Job): number => {
    const turn = (turns.get(userId) ?? 0) + 1
    turns.set(userId, turn)
    return turn
  }
  running.forEach(takeTurn)
  const served = new Map<string, number>()
  for (const { userId, launchedAt } of jobs) {
    served.set(userId, Math.max(served.get(userId) ?? 0, launchedAt?.getTime() ?? 0))
  }
  const waiting = jobs
    .filter(waits)
    .sort((a, b) => ownImportance(b) - ownImportance(a) || byNewest(b, a))
    .map(job => {
      const servedAt = served.get(job.userId) ?? 0
      const importance = agedPriority(job, Math.max(job.createdAt.getTime(), servedAt))
      return { job, turn: takeTurn(job), importance, servedAt }
    })
    .sort(
      (a, b) =>
        a.turn - b.turn || b.importance - a.importance || a.servedAt - b.servedAt || byNewest(b.job, a.job),
    )
    .map(({ job }) => job)
  return { running, waiting }
}

/** A job that has ended occupies its worker until that has stopped, or must have been stopped. */
function occupies({ status, workerUntil }: Job, nowMs: number): boolean {
  return (
    status === 'PENDING' || status === 'PROCESSING' || (workerUntil !== null && workerUntil.getTime() > nowMs)
  )
}
