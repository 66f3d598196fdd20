import type { Campaign, CampaignContent, FailureReason, Recipient, SendCounts } from './campaign.ts'

/** One import or sending of a campaign: its changes apply only while the revision is the campaign's newest. */
export interface CampaignRun {
  readonly campaign_id: string
  readonly revision: number
}

export interface ImportCounts {
  readonly total: number
  readonly duplicates: number
  readonly rejected: number
}

export type SendOutcome =
  | { readonly email: string; readonly sent: string }
  | { readonly email: string; readonly bounced: string }

/** Where campaigns and their recipients are kept. Every method may be called twice and does its work once. */
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
  /**
   * Begins a new revision with this content: as 取込中 with a new CSV, else as 送信予約済.
   * @throws ConflictError if the campaign is being sent or was sent
   */
  revise(campaignId: string, content: CampaignContent, reimport: boolean): Promise<Campaign>
  saveExecution(
    run: CampaignRun,
    arns: { readonly importArn?: string; readonly sendArn?: string },
  ): Promise<void>

  /** Deletes up to `limit` recipients of earlier revisions; the number deleted. @throws SupersededError */
  deleteEarlierRecipients(run: CampaignRun, limit: number): Promise<number>
  /** Deletes up to `limit` recipients of this and earlier revisions; the number deleted. */
  deleteRecipients(run: CampaignRun, limit: number): Promise<number>
  countRecipients(run: CampaignRun): Promise<number>
  /** 取込中 → 送信予約済. @throws SupersededError */
  finishImport(run: CampaignRun, counts: ImportCounts): Promise<Campaign>
  /** 取込中 → 取込失敗; leaves a newer revision alone. */
  failImport(run: CampaignRun, reason: FailureReason): Promise<void>
  /** Campaigns that have been 取込中 since before that time. */
  stale(beforeMs: number): Promise<readonly Campaign[]>

  /** 送信予約済 → 送信中; again for the same run it changes nothing. @throws SupersededError */
  beginSending(run: CampaignRun): Promise<Campaign>
  /** Takes up to `limit` recipients that nobody has taken yet, in the order of their addresses, after one. */
  claimRecipients(run: CampaignRun, after: string, limit: number): Promise<readonly Recipient[]>
  recordSent(run: CampaignRun, outcomes: readonly SendOutcome[]): Promise<void>
  sendCounts(run: CampaignRun): Promise<SendCounts>
  /** 送信中 → 送信済. */
  finishSending(run: CampaignRun): Promise<void>
}
