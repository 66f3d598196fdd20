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
  /** Counts the imports: what an earlier one still does or has left behind no longer counts. */
  readonly revision: number
  readonly total_count: number | null
  readonly duplicate_count: number | null
  readonly rejected_count: number | null
  /** Why the import failed, for staff to read. */
  readonly failure_reason: FailureReason | null
  /** Of the import that runs or ran last. */
  readonly import_execution_arn: string | null
  /** Of the send workflow. */
  readonly execution_arn: string | null
  readonly updated_at: string
}

export interface FailureReason {
  readonly error: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** How far sending is. */
export interface SendCounts {
  readonly pending: number
  /** Claimed, and not known to be sent: a sender died in between. */
  readonly unconfirmed: number
  readonly sent: number
  readonly bounced: number
}

export interface Recipient {
  readonly email: string
  readonly name: string | null
}
