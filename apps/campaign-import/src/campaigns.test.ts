import { randomUUID } from 'node:crypto'
import { createBatchWriter } from '@stepwright/batch-writer'
import { createPostgresRowSink } from '@stepwright/batch-writer/postgres'
import { type Postgres, startPostgres } from '@stepwright/local-postgres'
import type { MailEvent, OutboxStore } from '@stepwright/mail'
import { createPostgresOutbox } from '@stepwright/mail/postgres'
import { createPostgresPool, type PostgresPool } from '@stepwright/postgres'
import { Kysely, PostgresDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Recipient, status } from './campaign.ts'
import type { Campaign, CampaignContent, CampaignRun, Campaigns } from './campaigns.ts'
import type { Database, RecipientRow } from './database.ts'
import { importJob } from './execution-names.ts'
import { MigrateDatabase } from './functions/migrate-database.ts'
import { createEventRecorder, outboxTables, sendOf } from './mailing.ts'
import { createPostgresCampaigns } from './postgres-campaigns.ts'
import { createRecipientPurge } from './purge-recipients.ts'
import { createMemoryPorts } from './test/memory-ports.ts'

interface World {
  readonly campaigns: Campaigns
  readonly outbox: OutboxStore<Recipient>
  /** Imports addresses as one chunk; bad ones are rejected. */
  add(run: CampaignRun, emails: readonly string[], chunk?: string): Promise<unknown>
}

let postgres: Postgres
let pool: PostgresPool
beforeAll(async () => {
  postgres = await startPostgres({ databaseUrl: '' })
  pool = createPostgresPool({ connectionString: postgres.url, concurrency: 4 })
  const { task } = MigrateDatabase.facts
  await Promise.all([task.run({}, { pool }), task.run({}, { pool })])
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
    toRow: (email: string): RecipientRow => ({ ...run, email, name: null, fields: { 会員番号: email } }),
  }
}

function postgresWorld(): World {
  const sink = createPostgresRowSink<Pick<Database, 'notification_recipients'>, 'notification_recipients'>({
    pool,
    tableName: 'notification_recipients',
    columns: ['campaign_id', 'revision', 'email', 'name', 'fields'],
    conflict: { mode: 'ignore', key: ['campaign_id', 'revision', 'email'] },
  })
  const writer = createBatchWriter({ sink })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return {
    campaigns: createPostgresCampaigns(db),
    outbox: createPostgresOutbox({ ...outboxTables, pool }),
    add: (run, emails, chunk = '1') => writer.write(chunkOf(run, emails, chunk)),
  }
}

function memoryWorld(): World {
  const { campaigns, outbox, writer } = createMemoryPorts()
  return {
    campaigns,
    outbox,
    add: (run, emails, chunk = '1') => writer.write(chunkOf(run, emails, chunk)),
  }
}

function newContent(): CampaignContent {
  return {
    subject: 'News',
    body_html: '<p>Hello</p>',
    body_text: 'Hello',
    from_address: 'news@example.jp',
    from_name: null,
    scheduled_at: '2030-01-01T00:00:00.000Z',
    s3_key: `uploads/${randomUUID()}.csv`,
    s3_etag: '"a"',
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
    const outboxOf = (campaign: Campaign) => world.outbox.open(sendOf(campaign))
    const recordEvents = createEventRecorder(world.outbox)
    return { ...world, outboxOf, recordEvents, content, campaign_id, run: { campaign_id, revision: 1 } }
  }
  const nothing = { total_count: 0, duplicate_count: 0, rejected_count: 0, rejected_rows: [] }

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
    const summary = {
      ...nothing,
      total_count: 2,
      rejected_count: 1,
      rejected_rows: [{ row: 3, reason: 'bad' }],
    }
    await expect(campaigns.beginSending(run)).rejects.toMatchObject(superseded)
    const imported = { status: status.scheduled, total_count: 2, rejected_rows: [{ row: 3 }] }
    expect(await campaigns.finishImport(run, summary, 'arn:0')).toMatchObject(imported)
    expect(await campaigns.finishImport(run, nothing, 'arn:0')).toMatchObject(imported)
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
    await expect(campaigns.finishImport(run, nothing, 'arn:0')).rejects.toMatchObject(superseded)
    await expect(campaigns.beginSending(run)).rejects.toMatchObject(superseded)
    const again = await campaigns.revise(run, content, true)
    expect(again).toMatchObject({ status: status.importing, import_revision: 2, failure_reason: null })
    await campaigns.failImport(run, reason)
    await expect(campaigns.finishImport(run, nothing, 'arn:0')).rejects.toMatchObject(superseded)
    expect((await campaigns.find(campaign_id))?.status).toBe(status.importing)
  })

  it('hand out each recipient once, in order, and keep what became of them', async () => {
    const { campaigns, outboxOf, add, run } = await registered()
    await add(run, ['c@x.jp', 'a@x.jp', 'b@x.jp', 'd@x.jp', 'e@x.jp'])
    const imported = await campaigns.finishImport(run, { ...nothing, total_count: 5 }, 'arn')
    const emails = async (after: string, limit: number) =>
      (await outboxOf(imported).claim(after, limit)).map(({ email }) => email)
    expect(await emails('', 2)).toEqual([])
    await campaigns.beginSending(run)
    expect(await emails('', 2)).toEqual(['a@x.jp', 'b@x.jp'])
    expect(await emails('', 2)).toEqual(['c@x.jp', 'd@x.jp'])
    const outcomes = [
      { email: 'a@x.jp', sent: 'm-1' },
      { email: 'b@x.jp', bounced: 'unknown user' },
    ]
    await outboxOf(imported).record(outcomes)
    await outboxOf(imported).record(outcomes)
    await outboxOf(imported).release(['c@x.jp', 'a@x.jp'])
    const counted = { sent_count: 1, bounced_count: 1, sending_count: 1 }
    expect(await campaigns.find(run.campaign_id)).toMatchObject(counted)
    await expect(campaigns.finishSending(run)).rejects.toMatchObject({ name: 'PendingRecipientsError' })
    expect(await emails('c@x.jp', 9)).toEqual(['e@x.jp'])
    expect(await emails('', 9)).toEqual(['c@x.jp'])
    expect(await emails('', 9)).toEqual([])
    await outboxOf(imported).release(['b@x.jp'])
    expect(await emails('', 9)).toEqual(['b@x.jp'])
    expect(await campaigns.finishSending(run)).toMatchObject({
      status: status.sent,
      sent_count: 1,
      bounced_count: 0,
      sending_count: 4,
    })
  })

  it('stop a sending, and book the rest anew, but no other recipients', async () => {
    const { campaigns, outboxOf, add, content, run } = await registered()
    await add(run, ['a@x.jp', 'b@x.jp'])
    const imported = await campaigns.finishImport(run, { ...nothing, total_count: 2 }, 'arn')
    expect(await campaigns.stopSending(run, null)).toBe(false)
    await campaigns.beginSending(run)
    await outboxOf(imported).claim('', 1)
    await outboxOf(imported).record([{ email: 'a@x.jp', sent: 'm' }])
    const reason = { error: 'SendRefusedError', message: 'no' }
    expect(await campaigns.stopSending(run, reason)).toBe(true)
    expect(await outboxOf(imported).claim('', 9)).toEqual([])
    const stopped = await campaigns.requireCurrent(run)
    expect(stopped).toMatchObject({ status: status.stopped, failure_reason: reason })
    await expect(campaigns.beginSending(run)).rejects.toMatchObject(superseded)
    await expect(campaigns.revise(run, content, true)).rejects.toMatchObject(conflict)
    const again = await campaigns.revise(run, content, false)
    expect(again).toMatchObject({
      status: status.scheduled,
      revision: 2,
      failure_reason: null,
      sent_count: 1,
    })
    await campaigns.beginSending(again)
    expect((await outboxOf(again).claim('', 9)).map(({ email }) => email)).toEqual(['b@x.jp'])
  })

  it('confirm, count and suppress as SES tells, once however often it does', async () => {
    const { campaigns, outboxOf, recordEvents, add, run } = await registered()
    await add(run, ['a@x.jp', 'b@x.jp', 'c@x.jp', 'd@x.jp'])
    const imported = await campaigns.finishImport(run, { ...nothing, total_count: 4 }, 'arn')
    await campaigns.beginSending(run)
    const [first] = await outboxOf(imported).claim('', 9)
    expect(first).toMatchObject({
      email: 'a@x.jp',
      name: null,
      fields: { 会員番号: 'a@x.jp' },
      suppressed: null,
    })
    await outboxOf(imported).record([
      { email: 'a@x.jp', sent: 'm-1' },
      { email: 'd@x.jp', suppressed: 'unsubscribed' },
    ])
    const tell = (kind: MailEvent['kind'], ...addresses: string[]) => {
      const tags = { campaign_id: run.campaign_id, revision: '1' }
      return recordEvents([
        { kind, addresses, messageId: 'm', reason: 'told', tags },
        { kind, addresses, messageId: 'm', reason: 'told', tags: {} },
      ])
    }
    for (const kind of ['delivered', 'undelivered', 'complained', 'complained'] as const) {
      await tell(kind, 'a@x.jp', 'd@x.jp', 'stranger@x.jp')
    }
    await tell('bounced', 'b@x.jp')
    await tell('delivered', 'b@x.jp', 'c@x.jp')
    expect(await campaigns.find(run.campaign_id)).toMatchObject({
      sent_count: 1,
      bounced_count: 1,
      sending_count: 0,
      unconfirmed_count: 0,
      suppressed_count: 1,
      complained_count: 1,
    })
  })

  it('send again to those who may have got nothing, when people say so', async () => {
    const { campaigns, outboxOf, add, run } = await registered()
    await add(run, ['a@x.jp', 'b@x.jp', 'c@x.jp'])
    const imported = await campaigns.finishImport(run, { ...nothing, total_count: 3 }, 'arn')
    await campaigns.beginSending(run)
    await outboxOf(imported).claim('', 9)
    await outboxOf(imported).record([{ email: 'b@x.jp', sent: 'm-1' }])
    await expect(campaigns.resend(run)).rejects.toMatchObject({ code: 'NOBODY_UNCONFIRMED' })
    await campaigns.finishSending(run)
    await expect(campaigns.resend(run)).rejects.toMatchObject({ ...conflict, code: 'SENDER_AT_WORK' })
    await outboxOf(imported).record(['a@x.jp', 'c@x.jp'].map(email => ({ email, unconfirmed: true })))
    const again = await campaigns.resend(run)
    expect(again).toMatchObject({
      status: status.scheduled,
      revision: 2,
      sending_count: 0,
      unconfirmed_count: 0,
      sent_count: 1,
    })
    await expect(campaigns.resend(run)).rejects.toMatchObject(conflict)
    await campaigns.beginSending(again)
    expect((await outboxOf(again).claim('', 9)).map(({ email }) => email)).toEqual(['a@x.jp', 'c@x.jp'])
    await outboxOf(again).record(['a@x.jp', 'c@x.jp'].map(email => ({ email, sent: 'm-2' })))
    expect(await campaigns.finishSending(again)).toMatchObject({
      status: status.sent,
      sent_count: 3,
      resend_revision: null,
    })
  })

  /** One who is sent to, one who is unconfirmed and two who are pending, and the sending is paused. */
  async function paused() {
    const world = await registered()
    const { campaigns, outboxOf, add, run } = world
    await add(run, ['a@x.jp', 'b@x.jp', 'c@x.jp', 'd@x.jp'])
    const imported = await campaigns.finishImport(run, { ...nothing, total_count: 4 }, 'arn')
    await campaigns.beginSending(run)
    await outboxOf(imported).claim('', 2)
    await outboxOf(imported).record([
      { email: 'a@x.jp', sent: 'm-1' },
      { email: 'b@x.jp', unconfirmed: true },
    ])
    await campaigns.stopSending(run, null)
    const emailsOf = async (campaign: Campaign) =>
      (await outboxOf(campaign).claim('', 9)).map(({ email }) => email)
    return { ...world, emailsOf }
  }

  it('resend to those alone who are unconfirmed, of a campaign that stays 送信停止', async () => {
    const { campaigns, outboxOf, emailsOf, content, run } = await paused()
    const again = await campaigns.resend(run)
    expect(again).toMatchObject({ status: status.stopped, revision: 2, unconfirmed_count: 0 })
    await expect(campaigns.resend(again)).rejects.toMatchObject({ code: 'NOBODY_UNCONFIRMED' })
    expect(await campaigns.beginSending(again)).toMatchObject({ status: status.stopped })
    expect(await emailsOf(again)).toEqual(['b@x.jp'])
    await outboxOf(again).release(['b@x.jp'])
    await expect(campaigns.finishSending(again)).rejects.toMatchObject({ name: 'PendingRecipientsError' })
    expect(await emailsOf(again)).toEqual(['b@x.jp'])
    await outboxOf(again).record([{ email: 'b@x.jp', sent: 'm-2' }])
    const ended = await campaigns.finishSending(again)
    expect(ended).toMatchObject({ status: status.stopped, sent_count: 2, resend_revision: null })
    const rest = await campaigns.revise(ended, content, false)
    await campaigns.beginSending(rest)
    expect(await emailsOf(rest)).toEqual(['c@x.jp', 'd@x.jp'])
  })

  it.each(['paused', 'replaced', 'cancelled'] as const)(
    'end a resend that is %s, and keep its recipients unconfirmed',
    async how => {
      const { campaigns, emailsOf, content, run } = await paused()
      const again = await campaigns.resend(run)
      if (how === 'paused') expect(await campaigns.stopSending(again, null)).toBe(true)
      if (how === 'replaced') await campaigns.revise(again, content, false)
      if (how === 'cancelled') await campaigns.cancel(again)
      expect(await emailsOf(again)).toEqual([])
      const ended = await campaigns.find(run.campaign_id)
      expect(ended).toMatchObject({ resend_revision: null, unconfirmed_count: 1, sent_count: 1 })
      const statuses = { paused: status.stopped, replaced: status.scheduled, cancelled: status.cancelled }
      expect(ended?.status).toBe(statuses[how])
      await expect(campaigns.beginSending(again)).rejects.toMatchObject(superseded)
    },
  )

  it('are cancelled before and between sendings, and never while or after', async () => {
    const { campaigns, content, run } = await registered()
    const cancelled = await campaigns.cancel(run)
    expect(cancelled).toMatchObject({ status: status.cancelled, revision: 2 })
    await expect(campaigns.cancel(run)).rejects.toMatchObject(conflict)
    await expect(campaigns.finishImport(run, nothing, 'arn')).rejects.toMatchObject(superseded)
    await expect(campaigns.revise(cancelled, content, true)).rejects.toMatchObject(conflict)

    const other = await registered()
    await other.campaigns.finishImport(other.run, nothing, 'arn')
    await other.campaigns.beginSending(other.run)
    await expect(other.campaigns.cancel(other.run)).rejects.toMatchObject(conflict)
    await other.campaigns.stopSending(other.run, null)
    expect(await other.campaigns.cancel(other.run)).toMatchObject({ status: status.cancelled })
    await expect(other.campaigns.beginSending(other.run)).rejects.toMatchObject(superseded)
  })

  it('tell which are late, and count restarts', async () => {
    const { campaigns, campaign_id, run } = await registered()
    const lateAt = async (ms: number) =>
      (await campaigns.late(ms)).filter(each => each.campaign_id === campaign_id).length
    const minutes = 60_000
    const now = Date.parse((await campaigns.requireCurrent(run)).updated_at)
    expect([await lateAt(now + 29 * minutes), await lateAt(now + 31 * minutes)]).toEqual([0, 1])
    const { scheduled_at } = await campaigns.finishImport(run, nothing, 'arn')
    const due = Date.parse(scheduled_at)
    expect([await lateAt(due + 4 * minutes), await lateAt(due + 6 * minutes)]).toEqual([0, 1])
    const begun = Date.parse((await campaigns.beginSending(run)).updated_at)
    expect([await lateAt(begun + 14 * minutes), await lateAt(begun + 16 * minutes)]).toEqual([0, 1])
    expect([await campaigns.countRestart(run), await campaigns.countRestart(run)]).toEqual([1, 2])
  })

  it('list the own ones, the newest first, page by page', async () => {
    const { campaigns } = open()
    const owner = randomUUID()
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      ids.unshift((await campaigns.register(owner, newContent())).campaign_id)
    }
    const list = async (before?: string) =>
      (await campaigns.list(owner, before, 2)).map(({ campaign_id }) => campaign_id)
    expect(await list()).toEqual(ids.slice(0, 2))
    expect(await list(ids[1])).toEqual(ids.slice(2))
    expect(await campaigns.list('somebody else', undefined, 9)).toEqual([])
  })
})

describe('campaigns in PostgreSQL', { timeout: 60_000 }, () => {
  it('can keep any failure, also what jsonb does not take', async () => {
    const { campaigns } = postgresWorld()
    const { campaign_id } = await campaigns.register('ann', newContent())
    const details = { text: 'PK\u0003\u0000', 'a\0b': ['\ud800'] }
    await campaigns.failImport({ campaign_id, revision: 1 }, { error: 'E', message: 'a\0\udfff', details })
    expect((await campaigns.find(campaign_id))?.failure_reason).toEqual({
      error: 'E',
      message: 'a\ufffd\ufffd',
      details: { text: 'PK\u0003\ufffd', 'a\ufffdb': ['\ufffd'] },
    })
  })
})

describe('recipients in PostgreSQL', { timeout: 60_000 }, () => {
  it('are forgotten in portions, a while after their campaign has ended', async () => {
    const { campaigns, add } = postgresWorld()
    const { campaign_id } = await campaigns.register('ann', newContent())
    const run = { campaign_id, revision: 1 }
    await add(run, ['a@x.jp', 'b@x.jp', 'c@x.jp'])
    const purge = createRecipientPurge(new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }))
    const count = async () => {
      const text = 'select count(*)::int from notification_recipients where campaign_id = $1'
      return (await pool.query(text, [campaign_id])).rows[0]?.['count']
    }
    const set = (changes: string) =>
      pool.query(`update notification_campaigns set ${changes} where campaign_id = $1`, [campaign_id])
    const lastYear = new Date(Date.now() - 365 * 86_400_000)
    await set(`updated_at = now() - interval '366 days'`)
    expect([await purge(lastYear, 2), await count()]).toEqual([0, 3])
    await set(`status = '送信済', updated_at = now() - interval '364 days'`)
    expect([await purge(lastYear, 2), await count()]).toEqual([0, 3])
    await set(`updated_at = now() - interval '366 days'`)
    expect([await purge(lastYear, 2), await count()]).toEqual([2, 1])
    expect([await purge(lastYear, 2), await count()]).toEqual([1, 0])
  })

  it('and uploads that no campaign uses are forgotten, but no others', async () => {
    const { campaigns } = postgresWorld()
    const content = newContent()
    await campaigns.recordUpload(content.s3_key, 'ann')
    await campaigns.register('ann', content)
    const unused = `uploads/${randomUUID()}.csv`
    await campaigns.recordUpload(unused, 'ann')
    const purge = createRecipientPurge(new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }))
    const yesterday = new Date(Date.now() - 86_400_000)
    expect(await purge(yesterday, 9)).toBe(0)
    await pool.query(`update notification_uploads set created_at = now() - interval '2 days'`)
    expect(await purge(yesterday, 9)).toBeGreaterThan(0)
    expect(await campaigns.ownerOfUpload(unused)).toBeUndefined()
    expect(await campaigns.ownerOfUpload(content.s3_key)).toBe('ann')
  })

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
