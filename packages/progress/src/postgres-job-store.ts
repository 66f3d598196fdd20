import { aFunction, anObject, assertOptions, aText } from '@stepwright/errors/options'
import { Kysely, PostgresDialect, type PostgresPool, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { JobPart, JobStatus, NewJob } from './job.ts'
import type { ChangeOutcome, JobStore } from './job-store.ts'
import { allColumns, canBecome, columnsOf, inTurn, isSilent } from './postgres-expressions.ts'
import { openJobsFunctionOf, partTableOf } from './postgres-migration.ts'
import { queueOf } from './postgres-queue.ts'
import {
  type JobRow,
  type JobTables,
  jobColumns,
  listedColumns,
  toJob,
  toJsonb,
  toListedJob,
} from './postgres-rows.ts'
import { toProgress } from './progress.ts'
import { finalStatuses } from './transitions.ts'

export interface PostgresJobStoreOptions {
  readonly pool: PostgresPool
  /** May name a schema: `app.processing_state`. @default 'processing_state' */
  readonly tableName?: string
  /** The migration's; a user who is not in it is added with their first job. @default none */
  readonly userTableName?: string
  /** Milliseconds since the epoch. @default the database's clock, the same for all processes */
  readonly now?: () => number
}

/** Jobs in a table that `createProcessingStateMigration` makes. */
export function createPostgresJobStore(options: PostgresJobStoreOptions): JobStore {
  assertOptions('createPostgresJobStore', options, {
    pool: anObject,
    tableName: aText,
    userTableName: aText,
    now: aFunction,
  })
  const { pool, tableName = 'processing_state', userTableName, now } = options
  const jobTable = sql.table(tableName)
  const partTable = sql.table(partTableOf(tableName))
  const openJobs = sql.table(openJobsFunctionOf(tableName))
  const db = new Kysely<JobTables>({ dialect: new PostgresDialect({ pool }) })
  const table = tableName as 'processing_state'
  const at = (): RawBuilder<Date> =>
    now ? sql`${new Date(now())}::timestamptz` : sql`clock_timestamp()::timestamptz(3)`
  const ago = (ms: number): RawBuilder<Date> => sql`${at()} - ${ms} * interval '1 millisecond'`

  async function find(id: string): Promise<ChangeOutcome['job']> {
    const row = await db.selectFrom(table).select(jobColumns).where('id', '=', id).executeTakeFirst()
    return row && toJob(row)
  }

  async function insert(job: NewJob): ReturnType<JobStore['insert']> {
    const { job: inserted, created } = await insertInto(job)
    // Purged in between: the id is free again.
    return inserted ? { job: inserted, created } : insert(job)
  }

  async function insertInto(
    job: NewJob,
    allowed: RawBuilder<SqlBool> = sql`true`,
  ): ReturnType<JobStore['insertWithin']> {
    const { params, targetId, userId, retryCount, id, type } = job
    const { priority = 0, retryOf = null, payloadKey = null, launched = false } = job
    const { rows } = await sql<JobRow>`
      with clock as materialized (select ${at()} as now)${addUser(userId)}
      insert into ${jobTable} (id, user_id, type, target_id, params, retry_count, retry_of, priority,
        payload_key, created_at, updated_at, entered_at, heartbeat_at, launched_at)
      select ${id}, ${userId}, ${type}, ${targetId}, ${toJsonb(params)}, ${retryCount}::int, ${retryOf},
        ${priority}::int, ${payloadKey}, now, now, now, now, ${launched ? sql`now` : sql`null`} from clock where ${allowed}
      on conflict (id) do nothing
      returning ${allColumns}`.execute(db)
    const [row] = rows
    return row ? { job: toJob(row), created: true } : { job: await find(id), created: false }
  }

  function addUser(userId: string): RawBuilder<unknown> {
    if (userTableName === undefined) return sql``
    return sql`, owner as (insert into ${sql.table(userTableName)} (id) values (${userId}) on conflict do nothing)`
  }

  async function change(
    id: string,
    set: RawBuilder<unknown>,
    allowed: RawBuilder<SqlBool>,
  ): Promise<ChangeOutcome> {
    return settle(
      id,
      sql<JobRow>`
        with clock as materialized (select ${at()} as now)
        update ${jobTable} as job set heartbeat_at = clock.now, ${set} from clock
        where job.id = ${id} and ${allowed}
        returning ${columnsOf('job')}`,
    )
  }

  async function settle(id: string, changed: RawBuilder<JobRow>): Promise<ChangeOutcome> {
    const [row] = (await changed.execute(db)).rows
    return row ? { applied: true, job: toJob(row) } : { applied: false, job: await find(id) }
  }

  return {
    find,
    insert,
    insertWithin: (job, maxOpen) => insertInto(job, sql`${openJobs}(${job.userId}) < ${maxOpen}::int`),
    begin: (id, { silentForMs, keepsProgress = false }) =>
      change(
        id,
        sql`status = 'PROCESSING', attempt = job.attempt + 1, version = job.version + 1,
          progress = ${keepsProgress ? sql`job.progress` : sql`0`},
          started_at = clock.now, updated_at = clock.now,
          entered_at = case when job.status = 'PROCESSING' then job.entered_at else clock.now end`,
        sql`${canBecome('PROCESSING')} and (job.status = 'PENDING' or ${isSilent(silentForMs)})`,
      ),
    beat: (id, attempt, progress) => {
      const capped = sql`${toProgress(progress)}::int`
      return change(
        id,
        sql`progress = greatest(job.progress, ${capped}),
          version = job.version + (${capped} > job.progress)::int,
          updated_at = case when ${capped} > job.progress then clock.now else job.updated_at end`,
        sql`job.status = 'PROCESSING' and job.attempt = ${attempt}`,
      )
    },
    keepPart: (id, attempt, { part, value }, progress) =>
      settle(
        id,
        sql<JobRow>`
          with clock as materialized (select ${at()} as now),
          beaten as (
            update ${jobTable} as job set heartbeat_at = clock.now, updated_at = clock.now,
              version = job.version + 1, progress = greatest(job.progress, ${toProgress(progress)}::int)
            from clock where job.id = ${id} and job.status = 'PROCESSING' and job.attempt = ${attempt}
            returning ${columnsOf('job')}
          ),
          kept as (
            insert into ${partTable} (job_id, part, value, version, progress)
            select id, ${part}::int, ${toJsonb(value)}, version, progress from beaten
            on conflict do nothing
          )
          select * from beaten`,
      ),
    async adoptParts(id) {
      await sql`
        with adopted as (
          select earlier.part, earlier.value, earlier.progress from ${partTable} as earlier
          where earlier.job_id = (select retry_of from ${jobTable} where id = ${id})
        ),
        moved as (
          update ${jobTable} set version = version + 1,
            progress = greatest(progress, (select max(adopted.progress) from adopted))
          where id = ${id} and exists (select from adopted) returning version, progress
        )
        insert into ${partTable} (job_id, part, value, version, progress)
        select ${id}, adopted.part, adopted.value, moved.version, moved.progress from adopted, moved
        on conflict do nothing`.execute(db)
    },
    async listParts(id, after = { version: -1, part: -1 }) {
      const { rows } = await sql<JobPart>`
        select part, value, version, progress from ${partTable}
        where job_id = ${id} and (version, part) > (${after.version}::int, ${after.part}::int)
        order by version, part`.execute(db)
      return rows
    },
    async occupy(id, attempt, forMs) {
      await sql`update ${jobTable} set worker_until = ${at()} + ${forMs} * interval '1 millisecond'
        where id = ${id} and attempt = ${attempt}`.execute(db)
    },
    async release(id, attempt) {
      await sql`update ${jobTable} set worker_until = null where id = ${id} and attempt = ${attempt}`.execute(
        db,
      )
    },
    admit: ({ maxRunning, limit = maxRunning, ...rules }) =>
      // One at a time: who counts what runs must see what was launched by the one before.
      inTurn(db, tableName, async transaction => {
        const { rows } = await sql<JobRow & { place: string }>`
          with clock as materialized (select ${at()} as now),
          ${queueOf(jobTable, rules)},
          next as (
            select id, place from queue order by place
            limit least(${limit}::int, greatest(0, ${maxRunning}::int - (select coalesce(sum(running), 0) from occupied)))
          )
          update ${jobTable} as job set launched_at = clock.now,
            heartbeat_at = case when job.launched_at is null then clock.now else job.heartbeat_at end
          from clock, next
          where job.id = next.id and job.status = 'PENDING' returning ${columnsOf('job')}, next.place`.execute(
          transaction,
        )
        return rows.sort((a, b) => Number(a.place) - Number(b.place)).map(toJob)
      }),
    async countQueue() {
      const { rows } = await sql<{ waiting: string; lingering: string }>`
        with clock as materialized (select ${at()} as now)
        select (select count(*) from ${jobTable} where status = 'PENDING' and launched_at is null) as waiting,
          (select count(*) from ${jobTable}, clock
            where worker_until > clock.now and status not in ('PENDING', 'PROCESSING')) as lingering`.execute(
        db,
      )
      return { waiting: Number(rows[0]?.waiting), lingering: Number(rows[0]?.lingering) }
    },
    async findPlace(id, rules) {
      const { rows } = await sql<{ place: string }>`
        with clock as materialized (select ${at()} as now), ${queueOf(jobTable, rules)}
        select place from queue where id = ${id}`.execute(db)
      return rows[0] && Number(rows[0].place)
    },
    end: (id, { status, attempt, silentForMs = 0, result = null, error = null }) =>
      change(
        id,
        sql`status = ${status}, result = ${toJsonb(result)}, error = ${toJsonb(error)},
          progress = ${status === 'COMPLETED' ? sql`100` : sql`job.progress`},
          completed_at = clock.now, updated_at = clock.now, entered_at = clock.now,
          version = job.version + 1`,
        sql`${canBecome(status)} and ${isSilent(silentForMs)}
          and ${attempt === undefined ? sql`true` : sql`job.attempt = ${attempt}`}`,
      ),
    async findStale({ status, type, launched = false, silentForMs = 0, inStatusForMs = 0, limit }) {
      const rows = await db
        .selectFrom(table)
        .select(jobColumns)
        .where('status', '=', status)
        .where('heartbeat_at', '<=', ago(silentForMs))
        .where('entered_at', '<=', ago(inStatusForMs))
        .$if(type !== undefined, query => query.where('type', '=', type as string))
        .$if(launched, query => query.where('launched_at', 'is not', null))
        .orderBy('heartbeat_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toJob)
    },
    async findVersions(ids) {
      const { rows } = await sql<{ id: string; version: number }>`
        select id, version from ${jobTable} where id = any(${ids}::text[])`.execute(db)
      return new Map(rows.map(({ id, version }) => [id, version]))
    },
    async findReusable(userId, payloadKey) {
      const newest = (status: RawBuilder<SqlBool>): RawBuilder<JobRow> => sql`
        (select ${allColumns} from ${jobTable}
        where user_id = ${userId} and payload_key = ${payloadKey} and ${status}
        order by created_at desc, id desc limit 1)`
      const { rows } = await sql<JobRow>`
        ${newest(sql`status = 'COMPLETED'`)} union all ${newest(sql`status in ('PENDING', 'PROCESSING')`)}`.execute(
        db,
      )
      const row = rows.find(({ status }) => status === 'COMPLETED') ?? rows[0]
      return row && toJob(row)
    },
    async listByUser(userId, { type, status, limit, after }) {
      const rows = await db
        .selectFrom(table)
        .select(listedColumns)
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
      return rows.map(toListedJob)
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
