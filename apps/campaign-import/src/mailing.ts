import type { Mailing, OutboxStore, Send } from '@stepwright/mail'
import type { RecordMailEventsPorts } from '@stepwright/mail/tasks'
import { type Recipient, status } from './campaign.ts'
import { type Campaign, isCampaignId } from './campaigns.ts'

/** Where the recipients are, and the row that counts them. */
export const outboxTables = {
  recipients: 'notification_recipients',
  mailings: 'notification_campaigns',
  rate: 'notification_send_rate',
  columns: ['name', 'fields'],
} as const

/** The recipients of a campaign: those of the import that brought them. */
export function mailingOf({
  campaign_id,
  import_revision,
}: Pick<Campaign, 'campaign_id' | 'import_revision'>): Mailing {
  return { recipients: { campaign_id, revision: import_revision }, mailing: { campaign_id } }
}

/** The send of a campaign's revision, until it is paused or replaced. */
export function sendOf(campaign: Campaign): Send {
  const { revision, resend_revision } = campaign
  return resend_revision === revision
    ? { ...mailingOf(campaign), while: { revision, resend_revision }, onlyChosen: true }
    : { ...mailingOf(campaign), while: { revision, status: status.sending } }
}

/** Records what SES tells of the mails of campaigns, by the tags that they were sent with. */
export function createEventRecorder(
  outbox: Pick<OutboxStore<Recipient>, 'recordEvents'>,
): RecordMailEventsPorts['recordEvents'] {
  return events =>
    outbox.recordEvents(
      events.flatMap(event => {
        const { campaign_id = '', revision } = event.tags
        const import_revision = Number(revision)
        if (!isCampaignId(campaign_id) || !Number.isInteger(import_revision)) return []
        return [{ ...event, mailing: mailingOf({ campaign_id, import_revision }) }]
      }),
    )
}
