import { testDatabase } from '@stepwright/local-postgres/vitest'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { findStuckRows } from './postgres.ts'
import { openJobTables } from './test/job-tables.ts'

const { url } = await testDatabase()
const { db } = openJobTables(url)
afterAll(() => db.destroy())

describe('findStuckRows', () => {
  it('finds campaigns that have been importing for half an hour', async () => {
    await sql`
      create table notification_campaigns (campaign_id int, status text, updated_at timestamptz);
      insert into notification_campaigns values
        (1, '取込中', '2025-10-10T09:29:00Z'), (2, '取込中', '2025-10-10T09:30:00Z'),
        (3, '取込中', '2025-10-10T09:30:01Z'), (4, '送信予約済', '2025-10-10T08:00:00Z')`.execute(db)
    const query = {
      tableName: 'notification_campaigns',
      idColumn: 'campaign_id',
      statusColumn: 'status',
      status: '取込中',
      sinceColumn: 'updated_at',
      olderThanMs: 30 * 60_000,
    }
    const now = (): number => Date.parse('2025-10-10T10:00:00Z')
    expect(await findStuckRows(db, { ...query, now })).toEqual([
      { id: '1', since: new Date('2025-10-10T09:29:00Z'), ageMs: 1_860_000 },
      { id: '2', since: new Date('2025-10-10T09:30:00Z'), ageMs: 1_800_000 },
    ])
    expect(await findStuckRows(db, query)).toHaveLength(3)
    expect(await findStuckRows(db, { ...query, limit: 1 })).toHaveLength(1)
  })
})
