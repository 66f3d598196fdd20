import { type ColumnType, type RawBuilder, sql } from 'kysely'
import type { Job, JobError, JobStatus, ListedJob } from './job.ts'
import { toStoredJson } from './stored-json.ts'

type Stamp = ColumnType<Date, Date, Date>

/** The table as Kysely sees it: intersect it with the application's own tables. */
export interface ProcessingStateTable {
  readonly id: string
  readonly user_id: string
  readonly type: string
  readonly status: JobStatus
  readonly target_id: string | null
  readonly progress: number
  readonly params: unknown
  readonly result: unknown
  readonly error: JobError | null
  readonly retry_count: number
  readonly retry_of: string | null
  readonly priority: number
  readonly payload_key: string | null
  readonly version: number
  readonly attempt: number
  readonly created_at: Stamp
  readonly updated_at: Stamp
  readonly completed_at: Stamp | null
  readonly entered_at: Stamp
  readonly started_at: Stamp | null
  readonly heartbeat_at: Stamp
  readonly launched_at: Stamp | null
  readonly worker_until: Stamp | null
}

export interface JobTables {
  readonly processing_state: ProcessingStateTable
}

/** All but the result. */
export const listedColumns = [
  'id',
  'user_id',
  'type',
  'status',
  'target_id',
  'progress',
  'params',
  'error',
  'retry_count',
  'retry_of',
  'priority',
  'payload_key',
  'version',
  'attempt',
  'created_at',
  'updated_at',
  'completed_at',
  'entered_at',
  'started_at',
  'heartbeat_at',
  'launched_at',
  'worker_until',
] as const

export const jobColumns: readonly (keyof JobRow)[] = [...listedColumns, 'result']

export interface JobRow extends Omit<ProcessingStateTable, `${string}_at` | 'worker_until'> {
  readonly created_at: Date
  readonly updated_at: Date
  readonly completed_at: Date | null
  readonly entered_at: Date
  readonly started_at: Date | null
  readonly heartbeat_at: Date
  readonly launched_at: Date | null
  readonly worker_until: Date | null
}

export function toJob(row: JobRow): Job {
  return { ...toListedJob(row), result: row.result }
}

export function toListedJob(row: Omit<JobRow, 'result'>): ListedJob {
  return {
    id: row.id,
    userId: row.user_id,
    type: row.type,
    status: row.status,
    targetId: row.target_id,
    progress: row.progress,
    params: row.params,
    error: row.error,
    retryCount: row.retry_count,
    retryOf: row.retry_of,
    priority: row.priority,
    payloadKey: row.payload_key,
    version: row.version,
    attempt: row.attempt,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    enteredAt: row.entered_at,
    startedAt: row.started_at,
    heartbeatAt: row.heartbeat_at,
    launchedAt: row.launched_at,
    workerUntil: row.worker_until,
  }
}

/** As text, because pg would turn an array into a PostgreSQL array. */
export function toJsonb(value: unknown): RawBuilder<unknown> {
  return value === null || value === undefined ? sql`null::jsonb` : sql`${toStoredJson(value)}::text::jsonb`
}
