import { aFunction, assertOptions } from '@stepwright/errors/options'
import type { Job, JobError, JobPart, NewJob } from './job.ts'
import { byNewest, toQueue } from './job-order.ts'
import type { ChangeOutcome, JobStore, StaleQuery } from './job-store.ts'
import { toProgress } from './progress.ts'
import { asStored } from './stored-json.ts'
import { canMove, isFinal } from './transitions.ts'

export interface MemoryJobStoreOptions {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Jobs in this process, for tests. */
export function createMemoryJobStore(options: MemoryJobStoreOptions = {}): JobStore {
  assertOptions('createMemoryJobStore', options, { now: aFunction })
  const { now = Date.now } = options
  const jobs = new Map<string, Job>()
  const parts = new Map<string, JobPart[]>()

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

  function addParts(id: string, added: readonly JobPart[]): void {
    const kept = parts.get(id) ?? []
    parts.set(id, [...kept, ...added.filter(({ part }) => !kept.some(one => one.part === part))])
  }

  async function insert(job: NewJob): ReturnType<JobStore['insert']> {
    const existing = jobs.get(job.id)
    if (existing) return { job: structuredClone(existing), created: false }
    const added = toPendingJob(job, new Date(now()))
    jobs.set(job.id, added)
    return { job: structuredClone(added), created: true }
  }

  return {
    insert,
    async insertWithin(job, maxOpen) {
      const isOpen = ({ userId, status }: Job): boolean => userId === job.userId && !isFinal(status)
      if (jobs.has(job.id) || [...jobs.values()].filter(isOpen).length < maxOpen) return insert(job)
      return { job: undefined, created: false }
    },
    async find(id) {
      return structuredClone(jobs.get(id))
    },
    async begin(id, { silentForMs, keepsProgress = false }) {
      const at = new Date(now())
      return change(
        id,
        job => canMove(job.status, 'PROCESSING') && (job.status === 'PENDING' || isSilent(job, silentForMs)),
        job => ({
          status: 'PROCESSING',
          attempt: job.attempt + 1,
          version: job.version + 1,
          progress: keepsProgress ? job.progress : 0,
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
        job =>
          capped > job.progress
            ? { progress: capped, updatedAt: new Date(now()), version: job.version + 1 }
            : {},
      )
    },
    async keepPart(id, attempt, { part, value }, progress) {
      const outcome = change(
        id,
        job => job.status === 'PROCESSING' && job.attempt === attempt,
        job => ({
          progress: Math.max(job.progress, toProgress(progress)),
          updatedAt: new Date(now()),
          version: job.version + 1,
        }),
      )
      if (outcome.applied && outcome.job) {
        const { version, progress: reached } = outcome.job
        addParts(id, [{ part, value: asStored(value), version, progress: reached }])
      }
      return outcome
    },
    async adoptParts(id) {
      const job = jobs.get(id)
      const adopted = (job?.retryOf && parts.get(job.retryOf)) || []
      if (job === undefined || adopted.length === 0) return
      const version = job.version + 1
      const progress = Math.max(job.progress, ...adopted.map(part => part.progress))
      jobs.set(id, { ...job, version, progress })
      addParts(
        id,
        adopted.toSorted((a, b) => a.part - b.part).map(part => ({ ...part, version, progress })),
      )
    },
    async listParts(id, { version, part } = { version: -1, part: -1 }) {
      const kept = (parts.get(id) ?? []).filter(
        one => one.version > version || (one.version === version && one.part > part),
      )
      return structuredClone(kept)
    },
    async occupy(id, attempt, forMs) {
      const job = jobs.get(id)
      if (job?.attempt === attempt) jobs.set(id, { ...job, workerUntil: new Date(now() + forMs) })
    },
    async release(id, attempt) {
      const job = jobs.get(id)
      if (job?.attempt === attempt) jobs.set(id, { ...job, workerUntil: null })
    },
    async admit({ maxRunning, limit = maxRunning, ...rules }) {
      const at = new Date(now())
      const { running, waiting } = toQueue([...jobs.values()], now(), rules)
      const admitted = waiting
        .slice(0, Math.min(limit, Math.max(0, maxRunning - running.length)))
        .map(job => ({ ...job, launchedAt: at, heartbeatAt: job.launchedAt ? job.heartbeatAt : at }))
      for (const job of admitted) jobs.set(job.id, job)
      return structuredClone(admitted)
    },
    async countQueue() {
      const all = [...jobs.values()]
      const waiting = all.filter(({ status, launchedAt }) => status === 'PENDING' && launchedAt === null)
      const lingering = all.filter(
        ({ status, workerUntil }) => isFinal(status) && workerUntil && workerUntil.getTime() > now(),
      )
      return { waiting: waiting.length, lingering: lingering.length }
    },
    async findPlace(id, rules) {
      const { waiting } = toQueue([...jobs.values()], now(), rules)
      const index = waiting.findIndex(job => job.id === id)
      return index < 0 ? undefined : index + 1
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
          version: job.version + 1,
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
    async findVersions(ids) {
      return new Map(ids.flatMap(id => jobs.get(id) ?? []).map(({ id, version }) => [id, version]))
    },
    async findReusable(userId, payloadKey) {
      const found = [...jobs.values()]
        .filter(job => job.userId === userId && job.payloadKey === payloadKey)
        .sort(byNewest)
      const reusable =
        found.find(({ status }) => status === 'COMPLETED') ?? found.find(({ status }) => !isFinal(status))
      return structuredClone(reusable)
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
        .map(({ result: _, ...job }) => structuredClone(job))
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
      for (const { id } of old.slice(0, limit)) {
        jobs.delete(id)
        parts.delete(id)
      }
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
    retryOf: job.retryOf ?? null,
    priority: job.priority ?? 0,
    payloadKey: job.payloadKey ?? null,
    version: 0,
    attempt: 0,
    createdAt: at,
    updatedAt: at,
    completedAt: null,
    enteredAt: at,
    startedAt: null,
    heartbeatAt: at,
    launchedAt: job.launched ? at : null,
    workerUntil: null,
  }
}

function isStale(job: Job, query: StaleQuery, nowMs: number): boolean {
  const { status, type, launched = false, silentForMs = 0, inStatusForMs = 0 } = query
  return (
    job.status === status &&
    (type === undefined || job.type === type) &&
    (!launched || job.launchedAt !== null) &&
    job.heartbeatAt.getTime() <= nowMs - silentForMs &&
    job.enteredAt.getTime() <= nowMs - inStatusForMs
  )
}
