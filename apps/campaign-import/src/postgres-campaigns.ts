import { createHash } from 'node:crypto'
import { ConflictError } from '@stepwright/errors'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Campaign, type CampaignContent, type CampaignStatus, status } from './campaign.ts'
import type { CampaignRun, Campaigns } from './campaigns.ts'
import type { Database } from './database.ts'
import { SupersededError } from './errors.ts'

type CampaignRow = Selectable<Database['notification_campaigns']>

export function createPostgresCampaigns(db: Kysely<Database>): Campaigns {
  const campaigns = () => db.selectFrom('notification_campaigns').selectAll()
  const update = ({ campaign_id, revision }: CampaignRun) =>
    db
      .updateTable('notification_campaigns')
      .where('campaign_id', '=', campaign_id)
      .where('revision', '=', revision)
  const now = sql<Date>`now()`

  async function find(campaignId: string): Promise<Campaign | undefined> {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(campaignId)) return undefined
    const row = await campaigns().where('campaign_id', '=', campaignId).executeTakeFirst()
    return row && toCampaign(row)
  }

  async function requireCurrent({ campaign_id, revision }: CampaignRun): Promise<Campaign> {
    const campaign = await find(campaign_id)
    if (campaign?.revision === revision) return campaign
    throw new SupersededError(`revision ${revision} of campaign ${campaign_id} is no longer the newest`)
  }

  async function requireStatus(run: CampaignRun, allowed: readonly CampaignStatus[]): Promise<Campaign> {
    const campaign = await requireCurrent(run)
    if (allowed.includes(campaign.status)) return campaign
    throw new SupersededError(`campaign ${run.campaign_id} is ${campaign.status}`)
  }

  return {
    find,
    requireCurrent,

    async recordUpload(s3_key, owner_id) {
      await db
        .insertInto('notification_uploads')
        .values({ s3_key, owner_id })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    },

    async ownerOfUpload(s3Key) {
      const uploads = db.selectFrom('notification_uploads').select('owner_id')
      return (await uploads.where('s3_key', '=', s3Key).executeTakeFirst())?.owner_id
    },

    async register(owner_id, content) {
      const registration_hash = hashOf(owner_id, content)
      const created = await db
        .insertInto('notification_campaigns')
        .values({
          ...content,
          owner_id,
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
        code: 'UPLOAD_IN_USE',
        details: { s3_key: content.s3_key },
      })
    },

    async revise(run, content, reimport) {
      const revision = run.revision + 1
      const row = await update(run)
        .set({
          ...content,
          revision,
          ...(reimport && {
            status: status.importing,
            import_revision: revision,
            row_count: null,
            total_count: null,
            duplicate_count: null,
            rejected_count: null,
            rejected_rows: null,
            failure_reason: null,
          }),
          updated_at: now,
        })
        .where('status', 'not in', [status.sending, status.sent])
        .returningAll()
        .executeTakeFirst()
      if (row) return toCampaign(row)
      throw new ConflictError('the campaign was changed meanwhile, is being sent or was sent', {
        code: 'CAMPAIGN_CHANGED',
      })
    },

    async stale(beforeMs) {
      const rows = await campaigns()
        .where('status', '=', status.importing)
        .where('updated_at', '<', new Date(beforeMs))
        .orderBy('updated_at')
        .execute()
      return rows.map(toCampaign)
    },

    async saveRowCount(run, row_count) {
      await update(run).set({ row_count }).execute()
    },

    async finishImport(run, { total, duplicates, rejected, rejectedRows }) {
      const row = await update(run)
        .set({
          status: status.scheduled,
          total_count: total,
          duplicate_count: duplicates,
          rejected_count: rejected,
          rejected_rows: JSON.stringify(rejectedRows),
          updated_at: now,
        })
        .where('status', '=', status.importing)
        .returningAll()
        .executeTakeFirst()
      return row ? toCampaign(row) : requireStatus(run, [status.scheduled, status.sending, status.sent])
    },

    async failImport(run, reason) {
      await update(run)
        .set({
          status: status.importFailed,
          failure_reason: JSON.stringify(reason),
          updated_at: now,
        })
        .where('status', '=', status.importing)
        .execute()
    },

    async saveExecution(run, execution_arn) {
      await update(run).set({ execution_arn }).execute()
    },

    async beginSending(run) {
      const row = await update(run)
        .set({ status: status.sending, updated_at: now })
        .where('status', '=', status.scheduled)
        .returningAll()
        .executeTakeFirst()
      return row ? toCampaign(row) : requireStatus(run, [status.sending, status.sent])
    },

    async finishSending(run) {
      await update(run)
        .set({ status: status.sent, updated_at: now })
        .where('status', '=', status.sending)
        .execute()
    },
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
