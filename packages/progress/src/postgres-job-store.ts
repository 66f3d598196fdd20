import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { JobStatus, NewJob } from './job.ts'
import type { ChangeOutcome, JobStore } from './job-store.ts'
import { type JobRow, type JobTables, jobColumns, toJob, toJsonb } from './postgres-rows.ts'
import { toProgress } from './progress.ts'
import { finalStatuses, statusesBefore } from './transitions.ts'

export interface PostgresJobStoreOptions {
  // biome-ignore lint/suspicious/noExplicitAny: whatever other tables the application has
  readonly db: Kysely<any>
  /** May name a schema: `app.processing_state`. @default 'processing_state' */
  readonly tableName?: string
  /** Milliseconds since the epoch. @default the database's clock, the same for all processes */
  readonly now?: () => number
}

/** Jobs in a table that `createProcessingStateMigration` makes. */
export function createPostgresJobStore({
  db: anyDb,
  tableName = 'processing_state',
  now,
}: PostgresJobStoreOptions): JobStore {
  const db = anyDb as Kysely<JobTables>
  const table = tableName as 'processing_state'
  const at = (): RawBuilder<Date> =>
    now ? sql`${new Date(now())}::timestamptz` : sql`clock_timestamp()::timestamptz(3)`
  const ago = (ms: number): RawBuilder<Date> => sql`${at()} - ${ms} * interval '1 millisecond'`

  async function find(id: string): Promise<ChangeOutcome['job']> {
    const row = await db.selectFrom(table).select(jobColumns).where('id', '=', id).executeTakeFirst()
    return row && toJob(row)
  }

  async function insert(job: NewJob): ReturnType<JobStore['insert']> {
    const { params, targetId, userId, retryCount, id, type } = job
    const row = await db
      .insertInto(table)
      .columns([
        'id',
        'user_id',
        'type',
        'target_id',
        'params',
        'retry_count',
        'created_at',
        'updated_at',
        'entered_at',
        'heartbeat_at',
      ])
      .expression(
        sql`select ${id}, ${userId}, ${type}, ${targetId}, ${toJsonb(params)}, ${retryCount}::int, now, now, now, now
          from (select ${at()} as now) as clock` as never,
      )
      .onConflict(conflict => conflict.column('id').doNothing())
      .returning(jobColumns)
      .executeTakeFirst()
    if (row) return { job: toJob(row), created: true }
    const existing = await find(id)
    // Purged in between: the id is free again.
    return existing ? { job: existing, created: false } : insert(job)
  }

  async function change(
    id: string,
    set: RawBuilder<unknown>,
    allowed: RawBuilder<SqlBool>,
  ): Promise<ChangeOutcome> {
    const { rows } = await sql<JobRow>`
      with clock as materialized (select ${at()} as now)
      update ${sql.table(tableName)} as job set heartbeat_at = clock.now, ${set} from clock
      where job.id = ${id} and ${allowed}
      returning ${sql.join(jobColumns.map(column => sql.ref(`job.${column}`)))}`.execute(db)
    const [row] = rows
    return row ? { applied: true, job: toJob(row) } : { applied: false, job: await find(id) }
  }

  return {
    find,
    insert,
    begin: (id, { silentForMs }) =>
      change(
        id,
        sql`status = 'PROCESSING', attempt = job.attempt + 1, progress = 0,
          started_at = clock.now, updated_at = clock.now,
          entered_at = case when job.status = 'PROCESSING' then job.entered_at else clock.now end`,
        sql`${canBecome('PROCESSING')} and (job.status = 'PENDING' or ${isSilent(silentForMs)})`,
      ),
    beat: (id, attempt, progress) => {
      const capped = sql`${toProgress(progress)}::int`
      return change(
        id,
        sql`progress = greatest(job.progress, ${capped}),
          updated_at = case when ${capped} > job.progress then clock.now else job.updated_at end`,
        sql`job.status = 'PROCESSING' and job.attempt = ${attempt}`,
      )
    },
    end: (id, { status, attempt, silentForMs = 0, result = null, error = null }) =>
      change(
        id,
        sql`status = ${status}, result = ${toJsonb(result)}, error = ${toJsonb(error)},
          progress = ${status === 'COMPLETED' ? sql`100` : sql`job.progress`},
          completed_at = clock.now, updated_at = clock.now, entered_at = clock.now`,
        sql`${canBecome(status)} and ${isSilent(silentForMs)}
          and ${attempt === undefined ? sql`true` : sql`job.attempt = ${attempt}`}`,
      ),
    async findStale({ status, type, silentForMs = 0, inStatusForMs = 0, limit }) {
      const rows = await db
        .selectFrom(table)
        .select(jobColumns)
        .where('status', '=', status)
        .where('heartbeat_at', '<=', ago(silentForMs))
        .where('entered_at', '<=', ago(inStatusForMs))
        .$if(type !== undefined, query => query.where('type', '=', type as string))
        .orderBy('heartbeat_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toJob)
    },
    async listByUser(userId, { type, status, limit, after }) {
      const rows = await db
        .selectFrom(table)
        .select(jobColumns)
        .where('user_id', '=', userId)
        .$if(type !== undefined, query => query.where('type', '=', type as string))
        .$if(status !== undefined, query => query.where('status', '=', status as JobStatus))
        .$if(after !== undefined, query =>
          query.where(sql<SqlBool>`(created_at, id) < (${after?.createdAt}, ${after?.id})`),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toJob)
    },
    async count(status, type) {
      const { count } = await db
        .selectFrom(table)
        .select(eb => eb.fn.countAll<string>().as('count'))
        .where('status', '=', status)
        .$if(type !== undefined, query => query.where('type', '=', type as string))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    async purge(olderThanMs, limit) {
      const { numDeletedRows } = await db
        .deleteFrom(table)
        .where('id', 'in', old =>
          old
            .selectFrom(table)
            .select('id')
            .where('status', 'in', [...finalStatuses])
            .where('created_at', '<=', ago(olderThanMs))
            .limit(limit),
        )
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

function canBecome(status: JobStatus): RawBuilder<SqlBool> {
  return sql`job.status = any(${statusesBefore(status)}::text[])`
}

/** By the clock of the statement. At 0 whatever the clocks say: they may run backwards. */
function isSilent(silentForMs: number): RawBuilder<SqlBool> {
  if (silentForMs <= 0) return sql`true`
  return sql`job.heartbeat_at <= clock.now - ${silentForMs} * interval '1 millisecond'`
}
