import type { Sender } from '@stepwright/mail'
import type { Selectable } from 'kysely'
import type * as z from 'zod/mini'
import { type FailureReason, type RejectedRow, status } from './campaign.ts'
import type { Database } from './database.ts'
import type { campaignContent } from './schemas.ts'

/** A row of `notification_campaigns` as tasks see it: times are ISO 8601, in UTC. */
export type Campaign = Omit<
  Selectable<Database['notification_campaigns']>,
  'registration_key' | 'registration_hash' | 'created_at' | 'scheduled_at' | 'updated_at'
> & { readonly scheduled_at: string; readonly updated_at: string }

/** What a caller says of a campaign; the sender in its parts. */
export type CampaignContent = z.infer<typeof campaignContent> & Sender & Pick<Campaign, 's3_etag'>

/** One import or sending of a campaign: its changes apply only while the revision is the campaign's newest. */
export interface CampaignRun {
  readonly campaign_id: string
  readonly revision: number
}

/** What an import has brought. */
export interface ImportCounts {
  readonly total_count: number
  readonly duplicate_count: number
  readonly rejected_count: number
  readonly rejected_rows: readonly RejectedRow[]
}

/** Where campaigns are kept. Every method may be called twice and does its work once. */
export interface Campaigns {
  /** Remembers who may use the key for a campaign. */
  recordUpload(s3Key: string, ownerId: string): Promise<void>
  ownerOfUpload(s3Key: string): Promise<string | undefined>

  /**
   * Creates the campaign of an upload, as 取込中 in revision 1, or finds the one that this same call created.
   * @throws ConflictError if the upload belongs to a campaign of other content
   */
  register(ownerId: string, content: CampaignContent): Promise<Campaign>
  find(campaignId: string): Promise<Campaign | undefined>
  /** The newest of an owner, or those before one of them. */
  list(ownerId: string, before: string | undefined, limit: number): Promise<readonly Campaign[]>
  /**
   * Begins a new revision with this content: as 取込中 for a new import, else as 送信予約済.
   * @throws ConflictError if the campaign was changed since, is being sent or was sent, also in part
   */
  revise(run: CampaignRun, content: CampaignContent, reimport: boolean): Promise<Campaign>
  /** 取込中 since 30 minutes, 送信予約済 5 minutes past its time, 送信中 or a resend without progress for 15 minutes. */
  late(nowMs: number): Promise<readonly Campaign[]>
  /** Counts a restart of the run's workflow; how many there were. */
  countRestart(run: CampaignRun): Promise<number>

  /** @throws SupersededError */
  requireCurrent(run: CampaignRun): Promise<Campaign>
  /** 取込中 → 送信予約済; again for the same run it changes nothing. @throws SupersededError also if it has failed */
  finishImport(run: CampaignRun, counts: ImportCounts, executionArn: string): Promise<Campaign>
  /** 取込中 → 取込失敗, from when on nobody adds recipients to the run; leaves a newer revision alone. */
  failImport(run: CampaignRun, reason: FailureReason): Promise<void>
  /** Keeps where the send workflow runs, while the run is the newest. */
  saveExecution(run: CampaignRun, executionArn: string): Promise<void>
  /** 送信予約済 → 送信中; again for the same run it changes nothing. @throws SupersededError also if not imported */
  beginSending(run: CampaignRun): Promise<Campaign>
  /** 送信中 → 送信停止, and ends a resend: from then on nobody is handed out. False if there was neither. */
  stopSending(run: CampaignRun, reason: FailureReason | null): Promise<boolean>
  /**
   * Begins a new revision that sends again to those alone who are unconfirmed now: 送信済 → 送信予約済 at once;
   * 送信停止 stays, and everybody else stays pending.
   * @throws ConflictError if there is nobody, a sender may be at work, or it was changed since
   */
  resend(run: CampaignRun): Promise<Campaign>
  /** 送信中 → 送信済, or the end of a resend. @throws PendingRecipientsError while there is anyone to send to */
  finishSending(run: CampaignRun): Promise<Campaign>
  /** 取込中, 送信予約済 or 送信停止 → 取消済, in a new revision. @throws ConflictError in any other, or if it was changed since */
  cancel(run: CampaignRun): Promise<Campaign>
}

/** From when on a campaign is late, in minutes: in its import, to begin sending, in its sending. */
export const lateAfterMinutes = { import: 30, begin: 5, send: 15 } as const

export function isCampaignId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** Whether the campaign's newest revision has something to send, or has sent it; also a resend of one that is 送信停止. */
export function isSending(campaign: Campaign): boolean {
  return (
    campaign.status === status.sending ||
    campaign.status === status.sent ||
    campaign.resend_revision === campaign.revision
  )
}

/** Whether the campaign is what the caller says, whatever the version of its upload. */
export function hasSameContent(campaign: Campaign, content: Omit<CampaignContent, 's3_etag'>): boolean {
  const fields = Object.keys(content) as (keyof typeof content)[]
  return fields.every(field => campaign[field] === content[field])
}

/** What a new import begins with. */
export const nothingYet = {
  total_count: null,
  duplicate_count: null,
  rejected_count: null,
  rejected_rows: null,
  sent_count: 0,
  bounced_count: 0,
  sending_count: 0,
  unconfirmed_count: 0,
  suppressed_count: 0,
  complained_count: 0,
}
