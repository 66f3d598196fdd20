/** The stages of a campaign, in the words that staff see. */
export const status = {
  importing: '取込中',
  importFailed: '取込失敗',
  scheduled: '送信予約済',
  sending: '送信中',
  sent: '送信済',
} as const

export type CampaignStatus = (typeof status)[keyof typeof status]

/** What a caller says of a campaign. */
export interface CampaignContent {
  readonly subject: string
  readonly body_html: string
  readonly body_text: string
  readonly from_address: string
  /** ISO 8601, in UTC. */
  readonly scheduled_at: string
  readonly s3_key: string
}

export interface Campaign extends CampaignContent {
  readonly campaign_id: string
  readonly owner_id: string
  readonly status: CampaignStatus
  /** Counts the changes of the campaign: a workflow of an earlier one has nothing more to say. */
  readonly revision: number
  /** The revision whose import brought the recipients. */
  readonly import_revision: number
  /** Rows of the CSV; null until it was split. */
  readonly row_count: number | null
  readonly total_count: number | null
  readonly duplicate_count: number | null
  readonly rejected_count: number | null
  /** The first of the rows that were left out, for staff to mend. */
  readonly rejected_rows: readonly RejectedRow[] | null
  /** Why the import failed, for staff to read. */
  readonly failure_reason: FailureReason | null
  /** Of the send workflow. */
  readonly execution_arn: string | null
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
