import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { CampaignStatus, FailureReason, RejectedRow } from './campaign.ts'

type Timestamp = ColumnType<Date, Date | string, Date | string>

export interface Database {
  notification_uploads: { s3_key: string; owner_id: string; created_at: Generated<Date> }
  notification_campaigns: {
    campaign_id: Generated<string>
    owner_id: string
    /** The upload that the campaign was registered with; a second registration finds the first by it. */
    registration_key: string
    registration_hash: string
    subject: string
    body_html: string
    body_text: string
    from_address: string
    from_name: string | null
    scheduled_at: Timestamp
    s3_key: string
    s3_etag: string
    status: CampaignStatus
    revision: Generated<number>
    import_revision: Generated<number>
    total_count: number | null
    duplicate_count: number | null
    rejected_count: number | null
    rejected_rows: JSONColumnType<readonly RejectedRow[]> | null
    failure_reason: JSONColumnType<FailureReason> | null
    execution_arn: string | null
    restarts: Generated<number>
    sent_count: Generated<number>
    bounced_count: Generated<number>
    claimed_count: Generated<number>
    created_at: Generated<Date>
    updated_at: ColumnType<Date, Date | undefined, Date | string>
  }
  notification_recipients: RecipientRow & {
    send_status: Generated<'pending' | 'claimed' | 'sent' | 'bounced'>
    message_id: string | null
    bounce_reason: string | null
  }
}

/** What the import writes of a recipient. */
export interface RecipientRow {
  campaign_id: string
  revision: number
  email: string
  name: string | null
}
