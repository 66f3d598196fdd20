import { testDatabase } from '@stepwright/local-postgres/vitest'
import fc from 'fast-check'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, describe, expect, it } from 'vitest'
import type { Job } from './job.ts'
import type { ChangeOutcome, JobStore } from './job-store.ts'
import { createMemoryJobStore } from './memory-job-store.ts'
import {
  createJobSlotsMigration,
  createPostgresJobStore,
  createProcessingStateMigration,
} from './postgres.ts'
import { openJobTables } from './test/job-tables.ts'
import { testJobStore } from './testing.ts'

const { url } = await testDatabase()
const tables = openJobTables(url)
const { db, pool } = tables
afterAll(() => db.destroy())

testJobStore('createPostgresJobStore', async now => ({
  store: createPostgresJobStore({ pool, tableName: await tables.create(), now }),
}))

describe('createPostgresJobStore', () => {
  const newJob = { id: 'j', userId: 'u', type: 'T', targetId: null, params: null, retryCount: 0 }

  it("stamps times with the database's clock", async () => {
    const jobs = createPostgresJobStore({ pool, tableName: await tables.create() })
    const { job } = await jobs.insert(newJob)
    const begun = (await jobs.begin('j', { silentForMs: 0 })).job as Job
    const { rows } = await sql<{ now: Date }>`select clock_timestamp()::timestamptz(3) as now`.execute(db)
    expect(begun.startedAt?.getTime()).toBeGreaterThanOrEqual(job.createdAt.getTime())
    expect(begun.startedAt?.getTime()).toBeLessThanOrEqual(rows[0]?.now.getTime() as number)
    expect(await jobs.findStale({ status: 'PROCESSING', silentForMs: 3_600_000, limit: 9 })).toEqual([])
  })

  it('works in a schema of its own', async () => {
    await db.schema.createSchema('app').execute()
    const table = 'app.processing_state'
    await createProcessingStateMigration({ tableName: table }).up(db)
    await createJobSlotsMigration({ tableName: table }).up(db)
    const jobs = createPostgresJobStore({ pool, tableName: table })
    await jobs.insert(newJob)
    expect(await jobs.begin('j', { silentForMs: 0 })).toMatchObject({ applied: true, job: { attempt: 1 } })
    await createProcessingStateMigration({ tableName: table }).down?.(db)
  })

  it("is made and unmade by Kysely's Migrator", async () => {
    const migrator = new Migrator({
      db,
      migrationTableName: 'migrations',
      migrationLockTableName: 'migrations_lock',
      provider: {
        getMigrations: async () => ({
          '001': createProcessingStateMigration({ tableName: 'migrated' }),
          '002': createJobSlotsMigration({ tableName: 'migrated' }),
        }),
      },
    })
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    await createPostgresJobStore({ pool, tableName: 'migrated' }).insert(newJob)
    for (const _ of [1, 2]) expect((await migrator.migrateDown()).error).toBeUndefined()
    await expect(createPostgresJobStore({ pool, tableName: 'migrated' }).find('j')).rejects.toMatchObject({
      code: '42P01',
    })
  })

  it('has the indexes that the questions need', async () => {
    const table = await tables.create()
    const { rows } = await sql<{ columns: string }>`
      select substring(indexdef from '\\((.*)\\)$') as columns from pg_indexes where tablename = ${table}`.execute(
      db,
    )
    const columns = rows.map(row => row.columns)
    expect(columns).toEqual(
      expect.arrayContaining(['user_id, created_at', 'status, created_at', 'type, status']),
    )
  })

  it('adds a user with the first job, and deletes the jobs and their parts with the user', async () => {
    await sql`create table people (id text primary key)`.execute(db)
    await createProcessingStateMigration({ tableName: 'owned', userTableName: 'people' }).up(db)
    await createJobSlotsMigration({ tableName: 'owned' }).up(db)
    const jobs = createPostgresJobStore({ pool, tableName: 'owned', userTableName: 'people' })
    await jobs.insert(newJob)
    await jobs.insert({ ...newJob, id: 'k' })
    await jobs.begin('j', { silentForMs: 0 })
    await jobs.keepPart('j', 1, { part: 0, value: 'kept' }, 50)
    await sql`delete from people where id = 'u'`.execute(db)
    expect([await jobs.find('j'), await jobs.find('k'), await jobs.listParts('j')]).toEqual([
      undefined,
      undefined,
      [],
    ])
  })

  it('admits no more than the capacity, however many ask at once', async () => {
    const jobs = createPostgresJobStore({ pool, tableName: await tables.create() })
    for (let n = 0; n < 12; n += 1) await jobs.insert({ ...newJob, id: `j${n}` })
    const admission = { maxRunning: 5, relaunchAfterMs: 60_000, agingMs: 60_000 }
    const admitted = await Promise.all(Array.from({ length: 8 }, () => jobs.admit(admission)))
    expect(admitted.flat()).toHaveLength(5)
    expect(new Set(admitted.flat().map(({ id }) => id)).size).toBe(5)
  })

  it('admits no job that is cancelled at the same moment', async () => {
    const tableName = await tables.create()
    const jobs = createPostgresJobStore({ pool, tableName })
    await jobs.insert(newJob)
    const waiting = async (): Promise<number> => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      )
      return rows.length
    }
    const cancelling = await pool.connect()
    await cancelling.query('begin')
    const release = () => {}
    const connection = { query: cancelling.query.bind(cancelling), release }
    const own = { connect: async () => connection, end: async () => {} }
    await createPostgresJobStore({ pool: own as never, tableName }).end('j', { status: 'CANCELLED' })
    const admitted = jobs.admit({ maxRunning: 5, relaunchAfterMs: 60_000, agingMs: 60_000 })
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    await cancelling.query('commit')
    cancelling.release()
    expect(await admitted).toEqual([])
    expect(await jobs.find('j')).toMatchObject({ status: 'CANCELLED', launchedAt: null })
  })

  it('is guarded by the table itself', async () => {
    const table = await tables.create()
    await createPostgresJobStore({ pool, tableName: table }).insert(newJob)
    const set = (assignment: string): Promise<unknown> =>
      sql.raw(`update ${table} set ${assignment}`).execute(db)
    await expect(set(`progress = 100`)).rejects.toMatchObject({ code: '23514' })
    await expect(set(`status = 'DONE'`)).rejects.toMatchObject({ code: '23514' })
    await expect(set(`status = 'FAILED'`)).rejects.toMatchObject({ code: '23514' })
  })

  it('does exactly what the memory store does', async () => {
    const call = fc.oneof(
      fc.constant((jobs: JobStore) => jobs.begin('j', { silentForMs: 0 })),
      fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 100 })).map(
        ([attempt, progress]) =>
          (jobs: JobStore) =>
            jobs.beat('j', attempt, progress),
      ),
      fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 }), fc.jsonValue()).map(
        ([attempt, part, value]) =>
          (jobs: JobStore) =>
            jobs.keepPart('j', attempt, { part, value }, part * 30),
      ),
      fc
        .record({
          status: fc.constantFrom('COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED'),
          attempt: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
          result: fc.jsonValue({ stringUnit: 'binary' }),
        })
        .map(end => (jobs: JobStore) => jobs.end('j', end)),
    )
    let clock = 1_760_000_000_000
    const table = await tables.create()
    const postgres = createPostgresJobStore({ pool, tableName: table, now: () => clock })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async calls => {
        await sql`truncate ${sql.table(table)} cascade`.execute(db)
        const memory = createMemoryJobStore({ now: () => clock })
        expect(await postgres.insert(newJob)).toEqual(await memory.insert(newJob))
        for (const one of calls) {
          clock += 1000
          const expected: ChangeOutcome = await one(memory)
          expect(await one(postgres)).toEqual(expected)
        }
        expect(await postgres.listParts('j')).toEqual(await memory.listParts('j'))
      }),
      { numRuns: 100 },
    )
  })

  it('admits the same jobs in the same order as the memory store does', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('insert' as const),
        userId: fc.constantFrom('a', 'b', 'c'),
        priority: fc.integer({ min: 0, max: 2 }),
      }),
      fc.record({ kind: fc.constant('admit' as const), maxRunning: fc.integer({ min: 1, max: 4 }) }),
      fc.record({
        kind: fc.constantFrom('begin' as const, 'end' as const, 'release' as const),
        at: fc.nat(9),
      }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 30_000, 70_000) }),
    )
    const rules = { relaunchAfterMs: 60_000, agingMs: 60_000 }
    let clock = 1_760_000_000_000
    const table = await tables.create()
    const postgres = createPostgresJobStore({ pool, tableName: table, now: () => clock })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
        await sql`truncate ${sql.table(table)} cascade`.execute(db)
        const stores = [createMemoryJobStore({ now: () => clock }), postgres]
        let count = 0
        const idAt = (at: number): string => `j${count === 0 ? 0 : at % count}`
        async function take(one: (typeof steps)[number], jobs: JobStore): Promise<unknown> {
          if (one.kind === 'insert') return jobs.insert({ ...newJob, ...one, id: `j${count}` })
          if (one.kind === 'admit') {
            const admitted = await jobs.admit({ ...rules, maxRunning: one.maxRunning })
            return [admitted, await jobs.findPlace(idAt(count - 1), rules), await jobs.countQueue()]
          }
          if (one.kind === 'begin') {
            const { job } = await jobs.begin(idAt(one.at), { silentForMs: 0 })
            return jobs.occupy(idAt(one.at), job?.attempt ?? 0, 50_000)
          }
          if (one.kind === 'end') return jobs.end(idAt(one.at), { status: 'CANCELLED' })
          if (one.kind === 'release') return jobs.release(idAt(one.at), 1)
          return undefined
        }
        for (const one of steps) {
          clock += one.kind === 'wait' ? one.ms : 1
          const [expected, actual] = [
            await take(one, stores[0] as JobStore),
            await take(one, stores[1] as JobStore),
          ]
          expect(actual).toEqual(expected)
          if (one.kind === 'insert') count += 1
        }
      }),
      { numRuns: 60 },
    )
  })
})
