import { createHash } from 'node:crypto'
import { ConflictError } from '@stepwright/errors'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Campaign, type CampaignContent, status } from './campaign.ts'
import type { CampaignRun, Campaigns } from './campaigns.ts'
import type { Database } from './database.ts'
import { SupersededError } from './errors.ts'

type CampaignRow = Selectable<Database['notification_campaigns']>

export function createPostgresCampaigns(db: Kysely<Database>): Campaigns {
  const campaigns = () => db.selectFrom('notification_campaigns').selectAll()

  const store: Campaigns = {
    async recordUpload(s3_key, owner_id) {
      await db
        .insertInto('notification_uploads')
        .values({ s3_key, owner_id })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    },

    async ownerOfUpload(s3Key) {
      const row = await db
        .selectFrom('notification_uploads')
        .select('owner_id')
        .where('s3_key', '=', s3Key)
        .executeTakeFirst()
      return row?.owner_id
    },

    async register(ownerId, content) {
      const registration_hash = hashOf(ownerId, content)
      const created = await db
        .insertInto('notification_campaigns')
        .values({
          ...content,
          owner_id: ownerId,
          status: status.importing,
          registration_key: content.s3_key,
          registration_hash,
        })
        .onConflict(conflict => conflict.column('registration_key').doNothing())
        .returningAll()
        .executeTakeFirst()
      const row =
        created ??
        (await campaigns().where('registration_key', '=', content.s3_key).executeTakeFirstOrThrow())
      if (row.registration_hash === registration_hash) return toCampaign(row)
      throw new ConflictError('the upload belongs to another campaign', {
        details: { s3_key: content.s3_key },
      })
    },

    async find(campaignId) {
      if (!/^[0-9a-f-]{36}$/.test(campaignId)) return undefined
      const row = await campaigns().where('campaign_id', '=', campaignId).executeTakeFirst()
      return row && toCampaign(row)
    },

    async revise(campaignId, content, reimport) {
      const row = await db
        .updateTable('notification_campaigns')
        .set(eb => ({
          ...content,
          revision: eb('revision', '+', 1),
          status: reimport ? status.importing : eb.ref('status'),
          failure_reason: null,
          updated_at: sql<Date>`now()`,
        }))
        .where('campaign_id', '=', campaignId)
        .where('status', 'not in', [status.sending, status.sent])
        .returningAll()
        .executeTakeFirst()
      if (row) return toCampaign(row)
      throw new ConflictError('the campaign is being sent, or was sent: it cannot be changed any more')
    },

    async saveExecution({ campaign_id, revision }, { importArn, sendArn }) {
      await db
        .updateTable('notification_campaigns')
        .set({
          ...(importArn !== undefined && { import_execution_arn: importArn }),
          ...(sendArn !== undefined && { execution_arn: sendArn }),
        })
        .where('campaign_id', '=', campaign_id)
        .where('revision', '=', revision)
        .execute()
    },

    async deleteEarlierRecipients(run, limit) {
      await requireCurrent(run)
      return deleteUpTo(run, '<', limit)
    },

    deleteRecipients: (run, limit) => deleteUpTo(run, '<=', limit),

    async countRecipients({ campaign_id, revision }) {
      const { total } = await db
        .selectFrom('notification_recipients')
        .select(eb => eb.fn.countAll<number>().as('total'))
        .where('campaign_id', '=', campaign_id)
        .where('revision', '=', revision)
        .executeTakeFirstOrThrow()
      return Number(total)
    },

    async finishImport(run, { total, duplicates, rejected }) {
      const row = await db
        .updateTable('notification_campaigns')
        .set({
          status: status.scheduled,
          total_count: total,
          duplicate_count: duplicates,
          rejected_count: rejected,
          updated_at: sql<Date>`now()`,
        })
        .where('campaign_id', '=', run.campaign_id)
        .where('revision', '=', run.revision)
        .where('status', '=', status.importing)
        .returningAll()
        .executeTakeFirst()
      return row ? toCampaign(row) : requireCurrent(run)
    },

    async failImport({ campaign_id, revision }, reason) {
      await db
        .updateTable('notification_campaigns')
        .set({
          status: status.importFailed,
          failure_reason: JSON.stringify(reason),
          total_count: null,
          updated_at: sql<Date>`now()`,
        })
        .where('campaign_id', '=', campaign_id)
        .where('revision', '=', revision)
        .where('status', '=', status.importing)
        .execute()
    },

    async stale(beforeMs) {
      const rows = await campaigns()
        .where('status', '=', status.importing)
        .where('updated_at', '<', new Date(beforeMs))
        .orderBy('updated_at')
        .execute()
      return rows.map(toCampaign)
    },

    async beginSending(run) {
      const row = await db
        .updateTable('notification_campaigns')
        .set({ status: status.sending, updated_at: sql<Date>`now()` })
        .where('campaign_id', '=', run.campaign_id)
        .where('revision', '=', run.revision)
        .where('status', '=', status.scheduled)
        .returningAll()
        .executeTakeFirst()
      return row ? toCampaign(row) : requireCurrent(run)
    },

    async claimRecipients({ campaign_id, revision }, after, limit) {
      const { rows } = await sql<{ email: string; name: string | null }>`
        update notification_recipients set send_status = 'claimed'
        where (campaign_id, revision, email) in (
          select campaign_id, revision, email from notification_recipients
          where campaign_id = ${campaign_id} and revision = ${revision}
            and email > ${after} and send_status = 'pending'
          order by email limit ${limit} for update skip locked
        )
        returning email, name`.execute(db)
      return rows.toSorted((a, b) => (a.email < b.email ? -1 : 1))
    },

    async recordSent({ campaign_id, revision }, outcomes) {
      if (outcomes.length === 0) return
      const emails = outcomes.map(({ email }) => email)
      const messageIds = outcomes.map(outcome => ('sent' in outcome ? outcome.sent : null))
      const reasons = outcomes.map(outcome => ('bounced' in outcome ? outcome.bounced : null))
      await sql`
        update notification_recipients r
        set send_status = case when o.message_id is null then 'bounced' else 'sent' end,
            message_id = o.message_id, bounce_reason = o.reason
        from unnest(${emails}::text[], ${messageIds}::text[], ${reasons}::text[]) as o (email, message_id, reason)
        where r.campaign_id = ${campaign_id} and r.revision = ${revision} and r.email = o.email`.execute(db)
    },

    async sendCounts({ campaign_id, revision }) {
      const rows = await db
        .selectFrom('notification_recipients')
        .select(eb => ['send_status', eb.fn.countAll<string>().as('total')])
        .where('campaign_id', '=', campaign_id)
        .where('revision', '=', revision)
        .groupBy('send_status')
        .execute()
      const of = (name: string) => Number(rows.find(row => row.send_status === name)?.total ?? 0)
      return { pending: of('pending'), unconfirmed: of('claimed'), sent: of('sent'), bounced: of('bounced') }
    },

    async finishSending({ campaign_id, revision }) {
      await db
        .updateTable('notification_campaigns')
        .set({ status: status.sent, updated_at: sql<Date>`now()` })
        .where('campaign_id', '=', campaign_id)
        .where('revision', '=', revision)
        .where('status', '=', status.sending)
        .execute()
    },
  }
  return store

  async function requireCurrent({ campaign_id, revision }: CampaignRun): Promise<Campaign> {
    const campaign = await store.find(campaign_id)
    if (campaign?.revision === revision) return campaign
    throw new SupersededError(`revision ${revision} of campaign ${campaign_id} is no longer the newest`)
  }

  async function deleteUpTo(run: CampaignRun, compare: '<' | '<=', limit: number): Promise<number> {
    const doomed = db
      .selectFrom('notification_recipients')
      .select(sql<string>`ctid`.as('ctid'))
      .where('campaign_id', '=', run.campaign_id)
      .where('revision', compare, run.revision)
      .limit(limit)
    const { numDeletedRows } = await db
      .deleteFrom('notification_recipients')
      .where(sql<string>`ctid`, 'in', doomed)
      .executeTakeFirst()
    return Number(numDeletedRows)
  }
}

function hashOf(ownerId: string, content: CampaignContent): string {
  const { subject, body_html, body_text, from_address, scheduled_at, s3_key } = content
  const values = [ownerId, subject, body_html, body_text, from_address, scheduled_at, s3_key]
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}

function toCampaign(row: CampaignRow): Campaign {
  const { registration_key: _, registration_hash: __, created_at: ___, ...rest } = row
  return { ...rest, scheduled_at: row.scheduled_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
