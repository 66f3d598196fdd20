import { randomUUID } from 'node:crypto'
import { createBatchWriter } from '@stepwright/batch-writer'
import type { PostgresPool } from '@stepwright/batch-writer/postgres'
import { createPostgresPool, createPostgresRowSink } from '@stepwright/batch-writer/postgres'
import { type Postgres, startPostgres } from '@stepwright/local-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CampaignContent, status } from './campaign.ts'
import type { CampaignRun, Campaigns, Recipients } from './campaigns.ts'
import type { Database, RecipientRow } from './database.ts'
import { importJob } from './import-job.ts'
import { migrateDatabase } from './migrations.ts'
import { openDatabase } from './open-database.ts'
import { createMemoryPorts } from './test/memory-ports.ts'

interface World {
  readonly campaigns: Campaigns
  readonly recipients: Recipients
  /** Imports addresses as one chunk; bad ones are rejected. */
  add(run: CampaignRun, emails: readonly string[], chunk?: string): Promise<unknown>
}

let postgres: Postgres
let pool: PostgresPool
beforeAll(async () => {
  postgres = await startPostgres({ databaseUrl: '' })
  await Promise.all([migrateDatabase(postgres.url), migrateDatabase(postgres.url)])
  pool = createPostgresPool({ connectionString: postgres.url, concurrency: 4 })
}, 60_000)
afterAll(async () => {
  await pool.end()
  await postgres.stop()
}, 60_000)

function chunkOf(run: CampaignRun, emails: readonly string[], chunk: string) {
  return {
    jobId: importJob(run),
    chunk,
    checksum: emails.join(),
    records: () => emails,
    toRow: (email: string): RecipientRow => ({ ...run, email, name: null }),
  }
}

function postgresWorld(): World {
  const sink = createPostgresRowSink<Pick<Database, 'notification_recipients'>, 'notification_recipients'>({
    pool,
    tableName: 'notification_recipients',
    columns: ['campaign_id', 'revision', 'email', 'name'],
    conflict: { mode: 'ignore', key: ['campaign_id', 'revision', 'email'] },
  })
  const writer = createBatchWriter({ sink })
  return {
    ...openDatabase(pool),
    add: (run, emails, chunk = '1') => writer.write(chunkOf(run, emails, chunk)),
  }
}

function memoryWorld(): World {
  const { campaigns, recipients, writer } = createMemoryPorts()
  return {
    campaigns,
    recipients,
    add: (run, emails, chunk = '1') => writer.write(chunkOf(run, emails, chunk)),
  }
}

function newContent(): CampaignContent {
  return {
    subject: 'News',
    body_html: '<p>Hello</p>',
    body_text: 'Hello',
    from_address: 'news@example.jp',
    scheduled_at: '2030-01-01T00:00:00.000Z',
    s3_key: `uploads/${randomUUID()}.csv`,
  }
}

const superseded = { name: 'SupersededError' }
const conflict = { name: 'ConflictError' }

describe.each([
  ['memory', memoryWorld],
  ['PostgreSQL', postgresWorld],
])('campaigns and recipients in %s', { timeout: 60_000 }, (_, open) => {
  async function registered() {
    const world = open()
    const content = newContent()
    const { campaign_id } = await world.campaigns.register('ann', content)
    return { ...world, content, campaign_id, run: { campaign_id, revision: 1 } }
  }
  const nothing = { total: 0, duplicates: 0, rejected: 0, rejectedRows: [] }

  it('remember who may use an upload', async () => {
    const { campaigns } = open()
    await campaigns.recordUpload('uploads/mine.csv', 'ann')
    expect(await campaigns.ownerOfUpload('uploads/mine.csv')).toBe('ann')
    expect(await campaigns.ownerOfUpload('uploads/other.csv')).toBeUndefined()
  })

  it('register an upload once', async () => {
    const { campaigns, content, campaign_id } = await registered()
    expect(await campaigns.register('ann', content)).toMatchObject({ campaign_id, status: status.importing })
    await expect(campaigns.register('ann', { ...content, subject: 'x' })).rejects.toMatchObject(conflict)
    await expect(campaigns.register('bob', content)).rejects.toMatchObject(conflict)
    expect(await campaigns.find(campaign_id)).toMatchObject({ ...content, owner_id: 'ann', revision: 1 })
    expect(await campaigns.find('no such id')).toBeUndefined()
  })

  it('go through an import, an edit and a sending', async () => {
    const { campaigns, content, run } = await registered()
    const summary = { total: 2, duplicates: 1, rejected: 1, rejectedRows: [{ row: 3, reason: 'bad' }] }
    await campaigns.saveRowCount(run, 4)
    await expect(campaigns.beginSending(run)).rejects.toMatchObject(superseded)
    const imported = { status: status.scheduled, row_count: 4, total_count: 2, rejected_rows: [{ row: 3 }] }
    expect(await campaigns.finishImport(run, summary)).toMatchObject(imported)
    expect(await campaigns.finishImport(run, nothing)).toMatchObject(imported)
    await campaigns.saveExecution(run, 'arn:1')

    const edited = await campaigns.revise(run, { ...content, subject: 'Edited' }, false)
    expect(edited).toMatchObject({
      revision: 2,
      import_revision: 1,
      status: status.scheduled,
      total_count: 2,
    })
    await expect(campaigns.revise(run, content, false)).rejects.toMatchObject(conflict)
    await expect(campaigns.beginSending(run)).rejects.toMatchObject(superseded)
    await campaigns.saveExecution(run, 'arn:late')
    expect(await campaigns.beginSending(edited)).toMatchObject({
      status: status.sending,
      execution_arn: 'arn:1',
    })
    expect(await campaigns.beginSending(edited)).toMatchObject({ status: status.sending })
    await expect(campaigns.revise(edited, content, true)).rejects.toMatchObject(conflict)
    await campaigns.finishSending(edited)
    expect((await campaigns.requireCurrent(edited)).status).toBe(status.sent)
    await expect(campaigns.revise(edited, content, true)).rejects.toMatchObject(conflict)
  })

  it('fail an import, unless a newer one has begun', async () => {
    const { campaigns, content, campaign_id, run } = await registered()
    const reason = { error: 'CSVValidationError', message: 'broken', code: 'X', details: { row: 1 } }
    await campaigns.failImport(run, reason)
    expect(await campaigns.find(campaign_id)).toMatchObject({
      status: status.importFailed,
      failure_reason: reason,
    })
    await expect(campaigns.finishImport(run, nothing)).rejects.toMatchObject(superseded)
    await expect(campaigns.beginSending(run)).rejects.toMatchObject(superseded)
    const again = await campaigns.revise(run, content, true)
    expect(again).toMatchObject({ status: status.importing, import_revision: 2, failure_reason: null })
    await campaigns.failImport(run, reason)
    await expect(campaigns.finishImport(run, nothing)).rejects.toMatchObject(superseded)
    expect((await campaigns.find(campaign_id))?.status).toBe(status.importing)
  })

  it('count an import, and delete it or what was before it', async () => {
    const { campaigns, recipients, add, content, run } = await registered()
    await add(run, ['a@x.jp', 'b@x.jp', 'a@x.jp'])
    await add(run, ['b@x.jp', 'c@x.jp'], '2')
    await add(run, ['b@x.jp', 'c@x.jp'], '2')
    expect(await recipients.summarize(run, 10)).toEqual({ ...nothing, total: 3, duplicates: 2 })
    const next = await campaigns.revise(run, content, true)
    await add({ campaign_id: run.campaign_id, revision: 2 }, ['d@x.jp'])
    expect(await recipients.deleteEarlier(next, 2)).toBe(2)
    expect(await recipients.deleteEarlier(next, 2)).toBe(1)
    expect(await recipients.deleteEarlier(next, 2)).toBe(0)
    expect(await recipients.deleteAll(next, 2)).toBe(1)
  })

  it('hand out each recipient once, in order, and keep what became of them', async () => {
    const { recipients, add, run } = await registered()
    await add(run, ['c@x.jp', 'a@x.jp', 'b@x.jp', 'd@x.jp', 'e@x.jp'])
    const emails = async (after: string, limit: number) =>
      (await recipients.claim(run, after, limit)).map(({ email }) => email)
    expect(await emails('', 2)).toEqual(['a@x.jp', 'b@x.jp'])
    expect(await emails('', 2)).toEqual(['c@x.jp', 'd@x.jp'])
    await recipients.record(run, [
      { email: 'a@x.jp', sent: 'm-1' },
      { email: 'b@x.jp', bounced: 'unknown user' },
    ])
    await recipients.release(run, ['c@x.jp'])
    expect(await recipients.countSent(run)).toEqual({ pending: 2, unconfirmed: 1, sent: 1, bounced: 1 })
    expect(await emails('c@x.jp', 9)).toEqual(['e@x.jp'])
    expect(await emails('', 9)).toEqual(['c@x.jp'])
    expect(await emails('', 9)).toEqual([])
  })
})

describe('recipients in PostgreSQL', { timeout: 60_000 }, () => {
  it('are refused for an import that has failed or was replaced', async () => {
    const { campaigns, add } = postgresWorld()
    const refused = { code: 'SW409' }
    const { campaign_id } = await campaigns.register('ann', newContent())
    const run = { campaign_id, revision: 1 }
    await campaigns.revise(run, newContent(), true)
    await expect(add(run, ['a@x.jp'])).rejects.toMatchObject(refused)
    const newest = { campaign_id, revision: 2 }
    await add(newest, ['a@x.jp'])
    await campaigns.failImport(newest, { error: 'E', message: 'm' })
    await expect(add(newest, ['b@x.jp'], '2')).rejects.toMatchObject(refused)
  })

  it('keep the status waiting while a chunk is written', async () => {
    const { campaigns } = postgresWorld()
    const { campaign_id } = await campaigns.register('ann', newContent())
    const writer = await pool.connect()
    await writer.query('begin')
    await writer.query(`insert into notification_recipients values ($1, 1, 'a@x.jp')`, [campaign_id])
    let failed = false
    const failing = campaigns
      .failImport({ campaign_id, revision: 1 }, { error: 'E', message: 'm' })
      .then(() => {
        failed = true
      })
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'update%campaigns%'`,
        )
        return rows.length
      })
      .toBe(1)
    expect(failed).toBe(false)
    await writer.query('commit')
    writer.release()
    await failing
    expect(failed).toBe(true)
  })
})
