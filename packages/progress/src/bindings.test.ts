import { binding, inspectShown, type Shown } from '@stepwright/app/bindings'
import { testDatabase } from '@stepwright/local-postgres/vitest'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { jobStore } from './bindings.ts'
import { createPostgresJobStore } from './postgres.ts'
import { openJobTables } from './test/job-tables.ts'

const { url } = await testDatabase()
const tables = openJobTables(url)
afterAll(() => tables.db.destroy())

describe('jobStore', () => {
  it('shows the jobs of all users to tools, the newest first', async () => {
    const tableName = await tables.create()
    let now = Date.parse('2024-08-02T12:00:00Z')
    const jobs = createPostgresJobStore({ pool: tables.pool, tableName, now: () => now })
    const job = { type: 'T', targetId: null, params: null, retryCount: 0 }
    await jobs.insert({ ...job, id: 'first', userId: 'ann' })
    now += 1000
    await jobs.insert({ ...job, id: 'second', userId: 'bob' })
    await jobs.begin('first', { silentForMs: 0 })

    const pool = binding({ open: () => new pg.Pool({ connectionString: url }) })
    const [shown] = jobStore(pool, { tableName }).needs.shows as [Shown<'jobs'>]
    expect([shown.kind, shown.name]).toEqual(['jobs', tableName])
    await using inspected = await inspectShown(shown, {})
    expect(await inspected.list(9)).toEqual([
      {
        id: 'second',
        type: 'T',
        status: 'PENDING',
        userId: 'bob',
        progress: 0,
        attempt: 0,
        createdMs: now,
        updatedMs: now,
      },
      expect.objectContaining({ id: 'first', status: 'PROCESSING', userId: 'ann', attempt: 1 }),
    ])
    expect(await inspected.list(1)).toHaveLength(1)
  })
})
