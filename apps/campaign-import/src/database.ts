import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { CampaignStatus, FailureReason } from './campaign.ts'

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
    scheduled_at: Timestamp
    s3_key: string
    status: CampaignStatus
    revision: Generated<number>
    total_count: number | null
    duplicate_count: number | null
    rejected_count: number | null
    failure_reason: JSONColumnType<FailureReason> | null
    import_execution_arn: string | null
    execution_arn: string | null
    created_at: Generated<Date>
    updated_at: Timestamp | Generated<Date>
  }
  notification_recipients: {
    campaign_id: string
    revision: number
    email: string
    name: string | null
    send_status: Generated<'pending' | 'claimed' | 'sent' | 'bounced'>
    message_id: string | null
    bounce_reason: string | null
  }
}
