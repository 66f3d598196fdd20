/** As the database spells them. */
export const jobStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED'] as const

export type JobStatus = (typeof jobStatuses)[number]

/** One piece of work that a user waits for, and all that is known about it. */
export interface Job {
  readonly id: string
  /** The owner: nobody else may see, retry or cancel the job. */
  readonly userId: string
  /** E.g. `SUBGOAL_GENERATION`. */
  readonly type: string
  readonly status: JobStatus
  /** What the work is about, if it is about something stored. */
  readonly targetId: string | null
  /** A whole number from 0 to 100; 100 only when completed. Never goes back within an attempt. */
  readonly progress: number
  /** What the work was started with, so that it can be retried. Any JSON. */
  readonly params: unknown
  /** Any JSON; null until completed. */
  readonly result: unknown
  readonly error: JobError | null
  /** How many jobs before this one tried the same. */
  readonly retryCount: number
  /** The job that this one tries again; its parts are this one's, too. */
  readonly retryOf: string | null
  /** Of jobs that wait, the one with the higher goes first. */
  readonly priority: number
  /** The same for the same type, params and target. */
  readonly payloadKey: string | null
  /** One more with each change of status, progress or parts. */
  readonly version: number
  /** 0 until a worker takes the job; one more each time that one takes it. Older attempts can write nothing. */
  readonly attempt: number
  readonly createdAt: Date
  /** When status or progress last changed. */
  readonly updatedAt: Date
  /** When the job ended, well or badly. */
  readonly completedAt: Date | null
  /** Since when it has had its status. */
  readonly enteredAt: Date
  /** When the current attempt began. */
  readonly startedAt: Date | null
  /** The last sign of life. */
  readonly heartbeatAt: Date
  /** When its work was last started; null while it waits for others. */
  readonly launchedAt: Date | null
  /** Until when its worker may run at the latest; null while none does. It may outlast its job, and still occupies a slot. */
  readonly workerUntil: Date | null
}

/** A job in a list: its result, which may be large, is not read. */
export type ListedJob = Omit<Job, 'result'>

/** A piece of a job's result, kept as soon as it is there: whoever goes on with the job need not make it again. */
export interface JobPart {
  /** Counted from 0. */
  readonly part: number
  /** Any JSON. */
  readonly value: unknown
  /** The job's version that it came with. */
  readonly version: number
  /** The job's progress with it. */
  readonly progress: number
}

/** What the owner of a failed job gets to know. */
export interface JobError {
  readonly code: string
  readonly message: string
}

export type NewJob = Pick<Job, 'id' | 'userId' | 'type' | 'targetId' | 'params' | 'retryCount'> &
  /** 0, and null. */
  Partial<Pick<Job, 'priority' | 'retryOf' | 'payloadKey'>> & {
    /** Whether its work is started at once, without waiting for others. @default false */
    readonly launched?: boolean
  }
