/** The stages of a campaign, in the words that staff see. */
export const status = {
  importing: '取込中',
  importFailed: '取込失敗',
  scheduled: '送信予約済',
  sending: '送信中',
  /** By staff, or because the sender or the content was refused: a PUT books the rest anew. */
  stopped: '送信停止',
  sent: '送信済',
} as const

export type CampaignStatus = (typeof status)[keyof typeof status]

/** What a caller says of a campaign. */
export interface CampaignContent {
  readonly subject: string
  readonly body_html: string
  readonly body_text: string
  /** The address alone. */
  readonly from_address: string
  readonly from_name: string | null
  /** ISO 8601, in UTC. */
  readonly scheduled_at: string
  readonly s3_key: string
  /** The version of the upload. */
  readonly s3_etag: string
}

/** How far sending is. Who is in none of these is pending. */
export interface SendCounts {
  readonly sent_count: number
  readonly bounced_count: number
  /** Being sent or, if a sender died, never known to be sent: they get no second message. */
  readonly claimed_count: number
}

export interface Campaign extends CampaignContent, SendCounts {
  readonly campaign_id: string
  readonly owner_id: string
  readonly status: CampaignStatus
  /** Counts the changes of the campaign: a workflow of an earlier one has nothing more to say. */
  readonly revision: number
  /** The revision whose import brought the recipients. */
  readonly import_revision: number
  readonly total_count: number | null
  readonly duplicate_count: number | null
  readonly rejected_count: number | null
  /** The first of the rows that were left out, for staff to mend. */
  readonly rejected_rows: readonly RejectedRow[] | null
  /** Why the import failed or the sending was stopped, for staff to read. */
  readonly failure_reason: FailureReason | null
  /** Of the send workflow. */
  readonly execution_arn: string | null
  /** How often the sweep has started a workflow of this revision again. */
  readonly restarts: number
  readonly updated_at: string
}

export interface RejectedRow {
  /** Counted from 1, without the header and empty lines. */
  readonly row: number
  readonly reason: string
}

export interface FailureReason {
  readonly error: string
  readonly message: string
  readonly code?: string
  readonly details?: Readonly<Record<string, unknown>>
}

export interface Recipient {
  readonly email: string
  readonly name: string | null
}

/** Whether the campaign is what the caller says, whatever the version of its upload. */
export function hasSameContent(campaign: Campaign, content: Omit<CampaignContent, 's3_etag'>): boolean {
  const fields = Object.keys(content) as (keyof typeof content)[]
  return fields.every(field => campaign[field] === content[field])
}
