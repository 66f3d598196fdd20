import type { SendState } from '@stepwright/mail'
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
    /** The address alone. */
    from_address: string
    from_name: string | null
    scheduled_at: Timestamp
    s3_key: string
    /** The version of the upload. */
    s3_etag: string
    status: CampaignStatus
    /** Counts the changes of the campaign: a workflow of an earlier one has nothing more to say. */
    revision: Generated<number>
    /** The revision whose import brought the recipients. */
    import_revision: Generated<number>
    total_count: number | null
    duplicate_count: number | null
    rejected_count: number | null
    /** The first of the rows that were left out, for staff to mend. */
    rejected_rows: JSONColumnType<readonly RejectedRow[]> | null
    /** Why the import failed or the sending was stopped, for staff to read. */
    failure_reason: JSONColumnType<FailureReason> | null
    /** Of the send workflow. */
    execution_arn: string | null
    /** How often the sweep has started a workflow of this revision again. */
    restarts: Generated<number>
    /** Who is in none of these is pending. */
    sent_count: Generated<number>
    bounced_count: Generated<number>
    /** Who gets nothing, since the address bounced, complained or unsubscribed before. */
    suppressed_count: Generated<number>
    /** Who got the message and called it spam. */
    complained_count: Generated<number>
    /** Handed out to a sender, which may have died since. */
    sending_count: Generated<number>
    /** Who may have got the message or not: they get no second one, unless staff resend. */
    unconfirmed_count: Generated<number>
    /** The revision that sends again to those alone who were unconfirmed; null if none does. */
    resend_revision: number | null
    created_at: Generated<Date>
    updated_at: ColumnType<Date, Date | undefined, Date | string>
  }
  notification_recipients: RecipientRow & {
    send_status: Generated<SendState>
  }
}

/** What the import writes of a recipient. */
export interface RecipientRow {
  campaign_id: string
  revision: number
  email: string
  name: string | null
  fields: Readonly<Record<string, string>> | null
}
