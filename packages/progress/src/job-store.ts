import type { Job, JobError, JobPart, JobStatus, ListedJob, NewJob } from './job.ts'
import type { FinalStatus } from './transitions.ts'

/**
 * Where jobs are kept. Every change is one conditional write: it happens whole or not at all, whoever else
 * writes at the same moment. The store's clock stamps all times.
 */
export interface JobStore {
  /** Adds a PENDING job. If the id is taken, nothing changes and the job that has it is returned. */
  insert(job: NewJob): Promise<{ readonly job: Job; readonly created: boolean }>
  /**
   * Adds a PENDING job as `insert` does, unless its user has that many that have not ended: then there is no job. Of
   * calls at the same moment, no more get in.
   */
  insertWithin(
    job: NewJob,
    maxOpen: number,
  ): Promise<{ readonly job: Job | undefined; readonly created: boolean }>
  find(id: string): Promise<Job | undefined>
  /**
   * PENDING → PROCESSING in a new attempt, with progress at 0 unless it is to be kept; PROCESSING, too, if its attempt
   * has given no sign of life for that long.
   */
  begin(id: string, takeOver: TakeOver): Promise<ChangeOutcome>
  /**
   * A sign of life of an attempt, with its progress in percent: kept if it is more than before, in whole numbers, at
   * most 99. What is not a number is none.
   * Applied only while that attempt is the current one and PROCESSING.
   */
  beat(id: string, attempt: number, progress: number): Promise<ChangeOutcome>
  /**
   * A sign of life with a part of the result, both or neither. A part that is there already stays as it is.
   * Applied as `beat` is.
   */
  keepPart(
    id: string,
    attempt: number,
    part: Pick<JobPart, 'part' | 'value'>,
    progress: number,
  ): Promise<ChangeOutcome>
  /** Makes the parts of the job that this one tries again its own, and the progress that came with them. */
  adoptParts(id: string): Promise<void>
  /** In the order in which they came, those after the given one. */
  listParts(id: string, after?: Pick<JobPart, 'version' | 'part'>): Promise<readonly JobPart[]>
  /** Notes how long the worker of an attempt may run at the latest: so long it occupies a slot, whatever becomes of the job. */
  occupy(id: string, attempt: number, forMs: number): Promise<void>
  /** Notes that the worker of an attempt has stopped, unless another attempt has begun. */
  release(id: string, attempt: number): Promise<void>
  /**
   * Notes as launched the jobs that may run next, and gives them in their order: users take turns, then by priority and
   * age; see `toQueue`. No more than `maxRunning` occupy a worker at once: those that are launched and have not ended,
   * and those that have ended but whose workers have not stopped. A first launch is a sign of life. One that was
   * launched that long ago and is still PENDING is launched again.
   */
  admit(admission: Admission): Promise<readonly Job[]>
  /** How many jobs wait for a worker, and how many workers run on although their jobs have ended. */
  countQueue(): Promise<{ readonly waiting: number; readonly lingering: number }>
  /** Which in the queue a job is, counted from 1; undefined if it does not wait. */
  findPlace(id: string, rules: QueueRules): Promise<number | undefined>
  /** To a final status, where the transition table allows it and the conditions of the end hold. */
  end(id: string, end: JobEnd): Promise<ChangeOutcome>
  /** The longest silent first. */
  findStale(query: StaleQuery): Promise<readonly Job[]>
  /** By id; of jobs that exist. */
  findVersions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The user's newest COMPLETED job with that key; if there is none, the newest that has not ended. */
  findReusable(userId: string, payloadKey: string): Promise<Job | undefined>
  /** The newest first. */
  listByUser(userId: string, query: ListQuery): Promise<readonly ListedJob[]>
  count(status: JobStatus, type?: string): Promise<number>
  /** Deletes ended jobs that were created longer ago than this, at most `limit`, and returns how many. */
  purge(olderThanMs: number, limit: number): Promise<number>
}

export interface ChangeOutcome {
  readonly applied: boolean
  /** The job after the change, or, where it was refused, as it is now; undefined if there is none. */
  readonly job: Job | undefined
}

export interface TakeOver {
  /** 0 takes a job over from a worker that is well. */
  readonly silentForMs: number
  /** For work that goes on from its parts. @default false */
  readonly keepsProgress?: boolean | undefined
}

export interface QueueRules {
  /** A launch that long ago that led to nothing was lost. */
  readonly relaunchAfterMs: number
  /** The priority of a job that waits grows by one in this time. */
  readonly agingMs: number
}

export interface Admission extends QueueRules {
  readonly maxRunning: number
  /** No more at once than this. @default as many as may run */
  readonly limit?: number
}

export interface JobEnd {
  readonly status: FinalStatus
  /** Only if it is the current one. @default any */
  readonly attempt?: number | undefined
  /** Only if the job has given no sign of life for that long. @default 0 */
  readonly silentForMs?: number | undefined
  /** @default null */
  readonly result?: unknown
  /** @default null */
  readonly error?: JobError | null | undefined
}

export interface StaleQuery {
  readonly status: JobStatus
  readonly type?: string | undefined
  /** No sign of life for at least this long. */
  readonly silentForMs?: number | undefined
  /** Only those that were launched. @default false */
  readonly launched?: boolean | undefined
  /** In this status for at least this long, alive or not. */
  readonly inStatusForMs?: number | undefined
  readonly limit: number
}

export interface ListQuery {
  readonly type?: string | undefined
  readonly status?: JobStatus | undefined
  readonly limit: number
  /** The last job of the page before. */
  readonly after?: Pick<Job, 'createdAt' | 'id'> | undefined
}
