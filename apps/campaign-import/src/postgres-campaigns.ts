import { createHash } from 'node:crypto'
import { ConflictError } from '@stepwright/errors'
import { type Kysely, type RawBuilder, type Selectable, sql, type UpdateObject } from 'kysely'
import { type CampaignStatus, status } from './campaign.ts'
import {
  type Campaign,
  type CampaignContent,
  type CampaignRun,
  type Campaigns,
  lateAfterMinutes as late,
  nothingYet,
} from './campaigns.ts'
import type { Database } from './database.ts'
import { nobodyToResend, PendingRecipientsError, SupersededError } from './errors.ts'

type CampaignRow = Selectable<Database['notification_campaigns']>

export function createPostgresCampaigns(db: Kysely<Database>): Campaigns {
  const campaigns = () => db.selectFrom('notification_campaigns').selectAll()
  const update = ({ campaign_id, revision }: CampaignRun) =>
    db
      .updateTable('notification_campaigns')
      .where('campaign_id', '=', campaign_id)
      .where('revision', '=', revision)

  async function find(campaignId: string): Promise<Campaign | undefined> {
    if (!isCampaignId(campaignId)) return undefined
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

  /** Undefined unless the run is the newest and in one of these stages. */
  async function change(
    run: CampaignRun,
    from: readonly CampaignStatus[],
    changes: UpdateObject<Database, 'notification_campaigns'>,
    condition: RawBuilder<boolean> = sql`true`,
  ): Promise<Campaign | undefined> {
    const row = await update(run)
      .set({ ...changes, updated_at: sql<Date>`now()` })
      .where('status', 'in', from)
      .where(condition)
      .returningAll()
      .executeTakeFirst()
    return row && toCampaign(row)
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

    async list(ownerId, before, limit) {
      const place = sql`created_at, campaign_id`
      const rows = await campaigns()
        .where('owner_id', '=', ownerId)
        .$if(before !== undefined, query =>
          query.where(
            sql<boolean>`(${place}) < (select ${place} from notification_campaigns where campaign_id::text = ${before})`,
          ),
        )
        .orderBy('created_at', 'desc')
        .orderBy('campaign_id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toCampaign)
    },

    async revise(run, content, reimport) {
      const revision = run.revision + 1
      const imports = reimport && { ...nothingYet, status: status.importing, import_revision: revision }
      const revised = await change(
        run,
        [status.importing, status.importFailed, status.scheduled, status.stopped],
        { status: status.scheduled, ...content, ...imports, revision, failure_reason: null, restarts: 0 },
        reimport ? sql`sent_count + claimed_count + complained_count = 0` : undefined,
      )
      if (revised) return revised
      throw new ConflictError('the campaign was changed meanwhile, is being sent or was sent', {
        code: 'CAMPAIGN_CHANGED',
      })
    },

    async late(nowMs) {
      const before = (minutes: number) => new Date(nowMs - minutes * 60_000)
      const rows = await campaigns()
        .where(({ or, and, eb }) =>
          or([
            and([eb('status', '=', status.importing), eb('updated_at', '<', before(late.import))]),
            and([eb('status', '=', status.scheduled), eb('scheduled_at', '<', before(late.begin))]),
            and([eb('status', '=', status.sending), eb('updated_at', '<', before(late.send))]),
          ]),
        )
        .orderBy('updated_at')
        .execute()
      return rows.map(toCampaign)
    },

    async countRestart(run) {
      const counted = update(run).set({ restarts: sql`restarts + 1` })
      return (await counted.returning('restarts').executeTakeFirst())?.restarts ?? 0
    },

    async finishImport(run, { rejected_rows, ...counts }, execution_arn) {
      const changes = { ...counts, rejected_rows: toJson(rejected_rows), execution_arn }
      return (
        (await change(run, [status.importing], { ...changes, status: status.scheduled })) ??
        requireStatus(run, [status.scheduled, status.sending, status.sent])
      )
    },

    async failImport(run, reason) {
      await change(run, [status.importing], { status: status.importFailed, failure_reason: toJson(reason) })
    },

    async saveExecution(run, execution_arn) {
      await update(run).set({ execution_arn }).execute()
    },

    async beginSending(run) {
      return (
        (await change(run, [status.scheduled], { status: status.sending })) ??
        requireStatus(run, [status.sending, status.sent])
      )
    },

    async stopSending(run, reason) {
      const changes = { status: status.stopped, failure_reason: reason && toJson(reason) }
      return (await change(run, [status.sending], changes)) !== undefined
    },

    resend: run =>
      db.transaction().execute(async transaction => {
        const { campaign_id, revision } = run
        const resent = await transaction
          .updateTable('notification_campaigns')
          .set({
            status: status.scheduled,
            revision: revision + 1,
            restarts: 0,
            claimed_count: 0,
            failure_reason: null,
            scheduled_at: sql<Date>`now()`,
            updated_at: sql<Date>`now()`,
          })
          .where('campaign_id', '=', campaign_id)
          .where('revision', '=', revision)
          .where('status', 'in', [status.sent, status.stopped])
          .where('claimed_count', '>', 0)
          .returningAll()
          .executeTakeFirst()
        if (!resent) throw nobodyToResend()
        await transaction
          .updateTable('notification_recipients')
          .set({ send_status: 'pending' })
          .where('campaign_id', '=', campaign_id)
          .where('revision', '=', resent.import_revision)
          .where('send_status', '=', 'claimed')
          .execute()
        return toCampaign(resent)
      }),

    async finishSending(run) {
      const nobodyPending = sql<boolean>`not exists (
        select from notification_recipients r where r.campaign_id = notification_campaigns.campaign_id
          and r.revision = import_revision and r.send_status = 'pending')`
      const finished = await change(run, [status.sending], { status: status.sent }, nobodyPending)
      const campaign = finished ?? (await requireStatus(run, [status.sending, status.sent]))
      if (campaign.status === status.sent) return campaign
      throw new PendingRecipientsError(`campaign ${run.campaign_id} has recipients who were not sent to`)
    },
  }
}

export function isCampaignId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

function hashOf(ownerId: string, content: CampaignContent): string {
  const { subject, body_html, body_text, from_name, from_address, scheduled_at, s3_key } = content
  const values = [ownerId, subject, body_html, body_text, from_name, from_address, scheduled_at, s3_key]
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}

/** PostgreSQL's jsonb takes neither NUL nor half a surrogate pair, both of which broken files bring. */
function toJson(value: unknown): string {
  return JSON.stringify(storable(value))
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [storable(key), storable(field)]))
}

function toCampaign(row: CampaignRow): Campaign {
  const { registration_key: _, registration_hash: __, created_at: ___, ...rest } = row
  return { ...rest, scheduled_at: row.scheduled_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
