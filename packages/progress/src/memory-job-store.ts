import type { Job, JobError, NewJob } from './job.ts'
import type { ChangeOutcome, JobStore, StaleQuery } from './job-store.ts'
import { toProgress } from './progress.ts'
import { asStored } from './stored-json.ts'
import { canMove, isFinal } from './transitions.ts'

export interface MemoryJobStoreOptions {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Jobs in this process, for tests. */
export function createMemoryJobStore({ now = Date.now }: MemoryJobStoreOptions = {}): JobStore {
  const jobs = new Map<string, Job>()

  function change(id: string, allowed: (job: Job) => boolean, to: (job: Job) => Partial<Job>): ChangeOutcome {
    const job = jobs.get(id)
    if (job === undefined || !allowed(job)) return { applied: false, job: job && structuredClone(job) }
    const changed = { ...job, heartbeatAt: new Date(now()), ...to(job) }
    jobs.set(id, changed)
    return { applied: true, job: structuredClone(changed) }
  }

  function isSilent({ heartbeatAt }: Job, silentForMs: number): boolean {
    return heartbeatAt.getTime() <= now() - silentForMs
  }

  return {
    async insert(job) {
      const existing = jobs.get(job.id)
      if (existing) return { job: structuredClone(existing), created: false }
      const added = toPendingJob(job, new Date(now()))
      jobs.set(job.id, added)
      return { job: structuredClone(added), created: true }
    },
    async find(id) {
      return structuredClone(jobs.get(id))
    },
    async begin(id, { silentForMs }) {
      const at = new Date(now())
      return change(
        id,
        job => canMove(job.status, 'PROCESSING') && (job.status === 'PENDING' || isSilent(job, silentForMs)),
        job => ({
          status: 'PROCESSING',
          attempt: job.attempt + 1,
          progress: 0,
          startedAt: at,
          updatedAt: at,
          enteredAt: job.status === 'PROCESSING' ? job.enteredAt : at,
        }),
      )
    },
    async beat(id, attempt, progress) {
      const capped = toProgress(progress)
      return change(
        id,
        job => job.status === 'PROCESSING' && job.attempt === attempt,
        job => (capped > job.progress ? { progress: capped, updatedAt: new Date(now()) } : {}),
      )
    },
    async end(id, { status, attempt, silentForMs = 0, result = null, error = null }) {
      const at = new Date(now())
      return change(
        id,
        job =>
          canMove(job.status, status) &&
          (attempt === undefined || job.attempt === attempt) &&
          isSilent(job, silentForMs),
        job => ({
          status,
          result: asStored(result),
          error: asStored(error) as JobError | null,
          progress: status === 'COMPLETED' ? 100 : job.progress,
          completedAt: at,
          updatedAt: at,
          enteredAt: at,
        }),
      )
    },
    async findStale(query) {
      return [...jobs.values()]
        .filter(job => isStale(job, query, now()))
        .sort((a, b) => a.heartbeatAt.getTime() - b.heartbeatAt.getTime() || (a.id < b.id ? -1 : 1))
        .slice(0, query.limit)
        .map(job => structuredClone(job))
    },
    async listByUser(userId, { type, status, limit, after }) {
      return [...jobs.values()]
        .filter(
          job =>
            job.userId === userId &&
            (type === undefined || job.type === type) &&
            (status === undefined || job.status === status) &&
            (after === undefined || byNewest(after, job) < 0),
        )
        .sort(byNewest)
        .slice(0, limit)
        .map(job => structuredClone(job))
    },
    async count(status, type) {
      return [...jobs.values()].filter(
        job => job.status === status && (type === undefined || job.type === type),
      ).length
    },
    async purge(olderThanMs, limit) {
      const old = [...jobs.values()].filter(
        job => isFinal(job.status) && job.createdAt.getTime() <= now() - olderThanMs,
      )
      for (const { id } of old.slice(0, limit)) jobs.delete(id)
      return Math.min(old.length, limit)
    },
  }
}

function toPendingJob(job: NewJob, at: Date): Job {
  return {
    id: job.id,
    userId: job.userId,
    type: job.type,
    status: 'PENDING',
    targetId: job.targetId,
    progress: 0,
    params: asStored(job.params),
    result: null,
    error: null,
    retryCount: job.retryCount,
    attempt: 0,
    createdAt: at,
    updatedAt: at,
    completedAt: null,
    enteredAt: at,
    startedAt: null,
    heartbeatAt: at,
  }
}

function byNewest(a: Pick<Job, 'createdAt' | 'id'>, b: Pick<Job, 'createdAt' | 'id'>): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1)
}

function isStale(job: Job, query: StaleQuery, nowMs: number): boolean {
  const { status, type, silentForMs = 0, inStatusForMs = 0 } = query
  return (
    job.status === status &&
    (type === undefined || job.type === type) &&
    job.heartbeatAt.getTime() <= nowMs - silentForMs &&
    job.enteredAt.getTime() <= nowMs - inStatusForMs
  )
}
