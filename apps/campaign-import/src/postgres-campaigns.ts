import { createHash } from 'node:crypto'
import { ConflictError } from '@stepwright/errors'
import { type Kysely, type RawBuilder, type Selectable, sql, type UpdateObject } from 'kysely'
import { type CampaignStatus, status } from './campaign.ts'
import {
  type Campaign,
  type CampaignContent,
  type CampaignRun,
  type Campaigns,
  isCampaignId,
  isSending,
  lateAfterMinutes as late,
  nothingYet,
} from './campaigns.ts'
import type { Database } from './database.ts'
import { nobodyToResend, PendingRecipientsError, SupersededError, senderAtWork } from './errors.ts'
import { mailingOf } from './mailing.ts'
import { outboxIn } from './outbox-in.ts'
import { toJson } from './to-json.ts'

type CampaignRow = Selectable<Database['notification_campaigns']>

export function createPostgresCampaigns(db: Kysely<Database>): Campaigns {
  const campaigns = (on = db) => on.selectFrom('notification_campaigns').selectAll()
  const update = ({ campaign_id, revision }: CampaignRun, on = db) =>
    on
      .updateTable('notification_campaigns')
      .where('campaign_id', '=', campaign_id)
      .where('revision', '=', revision)

  async function find(campaignId: string, on = db): Promise<Campaign | undefined> {
    if (!isCampaignId(campaignId)) return undefined
    const row = await campaigns(on).where('campaign_id', '=', campaignId).executeTakeFirst()
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
    on = db,
  ): Promise<Campaign | undefined> {
    const row = await update(run, on)
      .set({ ...changes, updated_at: sql<Date>`now()` })
      .where('status', 'in', from)
      .where(condition)
      .returningAll()
      .executeTakeFirst()
    return row && toCampaign(row)
  }

  /** A resend of a campaign that is 送信停止 leaves it so. */
  async function requireSending(run: CampaignRun): Promise<Campaign> {
    const campaign = await requireCurrent(run)
    if (isSending(campaign)) return campaign
    throw new SupersededError(`campaign ${run.campaign_id} is ${campaign.status}`)
  }

  /** The same as `change`, and ends a resend: whoever was chosen for it is unconfirmed again. */
  async function replace(...given: Parameters<typeof change>): Promise<Campaign | undefined> {
    const [run, from, changes, condition] = given
    return db.transaction().execute(async transaction => {
      const before = await transaction
        .selectFrom('notification_campaigns')
        .select(['campaign_id', 'import_revision', 'resend_revision'])
        .where('campaign_id', '=', run.campaign_id)
        .forUpdate()
        .executeTakeFirst()
      const changed = await change(run, from, { ...changes, resend_revision: null }, condition, transaction)
      if (!changed || before?.resend_revision == null) return changed
      await outboxIn(transaction).forgetChosen(mailingOf(before))
      return find(run.campaign_id, transaction)
    })
  }

  return {
    find: id => find(id),
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
      const revised = await replace(
        run,
        [status.importing, status.importFailed, status.scheduled, status.stopped],
        { status: status.scheduled, ...content, ...imports, revision, failure_reason: null, restarts: 0 },
        reimport
          ? sql`sent_count + sending_count + unconfirmed_count + complained_count = 0 and resend_revision is null`
          : undefined,
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
            and([
              or([eb('status', '=', status.sending), eb('resend_revision', '=', eb.ref('revision'))]),
              eb('updated_at', '<', before(late.send)),
            ]),
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
      return (await change(run, [status.scheduled], { status: status.sending })) ?? requireSending(run)
    },

    async stopSending(run, reason) {
      const changes = { status: status.stopped, failure_reason: reason && toJson(reason) }
      const isResend = sql<boolean>`resend_revision = revision`
      const stopped =
        (await replace(run, [status.sending], changes)) ??
        (await replace(run, [status.stopped], changes, isResend))
      return stopped !== undefined
    },

    resend: run =>
      db.transaction().execute(async transaction => {
        const { campaign_id, revision } = run
        const before = await transaction
          .selectFrom('notification_campaigns')
          .selectAll()
          .where('campaign_id', '=', campaign_id)
          .where('revision', '=', revision)
          .where('status', 'in', [status.sent, status.stopped])
          .where('resend_revision', 'is', null)
          .forUpdate()
          .executeTakeFirst()
        const { chosen, inFlight } = before
          ? await outboxIn(transaction).chooseUnconfirmed(mailingOf(before))
          : { chosen: 0, inFlight: 0 }
        if (inFlight > 0) throw senderAtWork(inFlight)
        if (before === undefined || chosen === 0) throw nobodyToResend()
        const resent = await transaction
          .updateTable('notification_campaigns')
          .set({
            revision: revision + 1,
            resend_revision: revision + 1,
            restarts: 0,
            updated_at: sql<Date>`now()`,
            ...(before.status === status.sent && {
              status: status.scheduled,
              failure_reason: null,
              scheduled_at: sql<Date>`now()`,
            }),
          })
          .where('campaign_id', '=', campaign_id)
          .returningAll()
          .executeTakeFirstOrThrow()
        return toCampaign(resent)
      }),

    async finishSending(run) {
      const isOver = sql<boolean>`(status = ${status.sending} or resend_revision = revision) and not exists (
        select from notification_recipients r where r.campaign_id = notification_campaigns.campaign_id
          and r.revision = import_revision and (r.send_status = 'resend'
            or r.send_status = 'pending' and resend_revision is distinct from notification_campaigns.revision))`
      const changes = {
        status: sql<CampaignStatus>`case status when ${status.sending} then ${status.sent} else status end`,
        resend_revision: null,
      }
      const finished = await change(run, [status.sending, status.stopped], changes, isOver)
      if (finished) return finished
      const campaign = await requireSending(run)
      if (campaign.status === status.sent) return campaign
      throw new PendingRecipientsError(`campaign ${run.campaign_id} has recipients who were not sent to`)
    },

    async cancel(run) {
      const from = [status.importing, status.scheduled, status.stopped]
      const changes = {
        status: status.cancelled,
        revision: run.revision + 1,
        failure_reason: null,
      }
      const cancelled = await replace(run, from, changes)
      if (cancelled) return cancelled
      throw new ConflictError('the campaign was changed meanwhile, is being sent, or has ended', {
        code: 'NOT_CANCELLABLE',
      })
    },
  }
}

function hashOf(ownerId: string, content: CampaignContent): string {
  const { subject, body_html, body_text, from_name, from_address, scheduled_at, s3_key } = content
  const values = [ownerId, subject, body_html, body_text, from_name, from_address, scheduled_at, s3_key]
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}

function toCampaign(row: CampaignRow): Campaign {
  const { registration_key: _, registration_hash: __, created_at: ___, ...rest } = row
  return { ...rest, scheduled_at: row.scheduled_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
