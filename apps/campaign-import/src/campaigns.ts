import type { Campaign, CampaignContent, FailureReason, Recipient, RejectedRow } from './campaign.ts'

/** One import or sending of a campaign: its changes apply only while the revision is the campaign's newest. */
export interface CampaignRun {
  readonly campaign_id: string
  readonly revision: number
}

/** What an import has brought so far; after its last chunk, in all. */
export interface ImportCounts {
  readonly total: number
  readonly duplicates: number
  readonly rejected: number
}

export interface ImportSummary extends ImportCounts {
  readonly rejectedRows: readonly RejectedRow[]
}

/** How far sending is. */
export interface SendCounts {
  readonly pending: number
  /** Claimed, and not known to be sent: a sender died in between. They are never sent again. */
  readonly unconfirmed: number
  readonly sent: number
  readonly bounced: number
}

export type SendOutcome =
  | { readonly email: string; readonly sent: string }
  | { readonly email: string; readonly bounced: string }

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
  /**
   * Begins a new revision with this content: as 取込中 for a new import, else as it is.
   * @throws ConflictError if the campaign was changed since, is being sent or was sent
   */
  revise(run: CampaignRun, content: CampaignContent, reimport: boolean): Promise<Campaign>
  /** Campaigns that have been 取込中 since before that time, oldest first. */
  stale(beforeMs: number): Promise<readonly Campaign[]>

  /** @throws SupersededError */
  requireCurrent(run: CampaignRun): Promise<Campaign>
  saveRowCount(run: CampaignRun, rowCount: number): Promise<void>
  /** 取込中 → 送信予約済; again for the same run it changes nothing. @throws SupersededError also if it has failed */
  finishImport(run: CampaignRun, summary: ImportSummary): Promise<Campaign>
  /** 取込中 → 取込失敗, from when on nobody adds recipients to the run; leaves a newer revision alone. */
  failImport(run: CampaignRun, reason: FailureReason): Promise<void>
  /** Keeps where the send workflow runs, while the run is the newest. */
  saveExecution(run: CampaignRun, executionArn: string): Promise<void>
  /** 送信予約済 → 送信中; again for the same run it changes nothing. @throws SupersededError also if not imported */
  beginSending(run: CampaignRun): Promise<Campaign>
  /** 送信中 → 送信済. */
  finishSending(run: CampaignRun): Promise<void>
}

/** Where the recipients are kept: by campaign and the revision whose import brought them. */
export interface Recipients {
  /** Deletes up to `limit` recipients of earlier imports; the number deleted. */
  deleteEarlier(run: CampaignRun, limit: number): Promise<number>
  /** Deletes up to `limit` recipients of this import and earlier ones; the number deleted. */
  deleteAll(run: CampaignRun, limit: number): Promise<number>
  summarize(run: CampaignRun, shownRows: number): Promise<ImportSummary>
  /** Takes up to `limit` recipients that nobody has taken yet, in the order of their addresses, after one. */
  claim(run: CampaignRun, after: string, limit: number): Promise<readonly Recipient[]>
  record(run: CampaignRun, outcomes: readonly SendOutcome[]): Promise<void>
  /** Gives back claims of recipients to whom certainly nothing was sent. */
  release(run: CampaignRun, emails: readonly string[]): Promise<void>
  countSent(run: CampaignRun): Promise<SendCounts>
}
