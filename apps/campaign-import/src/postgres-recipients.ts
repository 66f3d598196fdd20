import { type Kysely, type RawBuilder, sql } from 'kysely'
import { status } from './campaign.ts'
import type { Recipients, Sending } from './campaigns.ts'
import type { Database } from './database.ts'

/** Recipients and the campaign's counts change together, so that nobody has to count millions of rows. */
export function createPostgresRecipients(db: Kysely<Database>): Recipients {
  return {
    // Materialized, or the inner query may be run again for each row, and find others each time.
    async claim({ campaign_id, revision, import_revision }, after, limit) {
      const { rows } = await sql<{ email: string; name: string | null }>`
        with next as materialized (
          select email from notification_recipients
          where campaign_id = ${campaign_id} and revision = ${import_revision}
            and email > ${after} and send_status = 'pending'
            and exists (select from notification_campaigns where campaign_id = ${campaign_id}
              and revision = ${revision} and status = ${status.sending})
          order by email limit ${limit} for update of notification_recipients skip locked
        ), claimed as (
          update notification_recipients r set send_status = 'claimed' from next
          where r.campaign_id = ${campaign_id} and r.revision = ${import_revision} and r.email = next.email
          returning r.email, r.name
        ), counted as (
          update notification_campaigns
          set claimed_count = claimed_count + (select count(*) from claimed), updated_at = now()
          where campaign_id = ${campaign_id} and exists (select from claimed)
        )
        select email, name from claimed`.execute(db)
      return rows.toSorted((a, b) => Buffer.compare(Buffer.from(a.email), Buffer.from(b.email)))
    },

    async record(sending, outcomes) {
      if (outcomes.length === 0) return
      const emails = outcomes.map(({ email }) => email)
      const messageIds = outcomes.map(outcome => ('sent' in outcome ? outcome.sent : null))
      const reasons = outcomes.map(outcome => ('bounced' in outcome ? outcome.bounced : null))
      await sql`
        with settled as (
          update notification_recipients r
          set send_status = case when o.message_id is null then 'bounced' else 'sent' end,
              message_id = o.message_id, bounce_reason = o.reason
          from unnest(${emails}::text[], ${messageIds}::text[], ${reasons}::text[])
            as o (email, message_id, reason)
          where ${isOf(sending)} and r.email = o.email and r.send_status = 'claimed'
          returning r.send_status
        )
        update notification_campaigns set updated_at = now(),
          sent_count = sent_count + (select count(*) from settled where send_status = 'sent'),
          bounced_count = bounced_count + (select count(*) from settled where send_status = 'bounced'),
          claimed_count = claimed_count - (select count(*) from settled)
        where campaign_id = ${sending.campaign_id}`.execute(db)
    },

    async release(sending, emails) {
      if (emails.length === 0) return
      await sql`
        with released as materialized (
          select email, send_status from notification_recipients r
          where ${isOf(sending)} and email = any(${emails}::text[]) and send_status in ('claimed', 'bounced')
          for update
        ), changed as (
          update notification_recipients r set send_status = 'pending', bounce_reason = null from released
          where ${isOf(sending)} and r.email = released.email
        )
        update notification_campaigns set
          bounced_count = bounced_count - (select count(*) from released where send_status = 'bounced'),
          claimed_count = claimed_count - (select count(*) from released where send_status = 'claimed')
        where campaign_id = ${sending.campaign_id}`.execute(db)
    },

    async takeTurn(messages, perSecond) {
      const { rows } = await sql<{ wait: number }>`
        update notification_send_rate
        set used_until = greatest(used_until, now()) + make_interval(secs => ${messages / perSecond})
        returning extract(epoch from used_until - now())::float8 - ${messages / perSecond}::float8 as wait`.execute(
        db,
      )
      return Math.max(0, Math.round((rows[0]?.wait ?? 0) * 1000))
    },
  }
}

function isOf({ campaign_id, import_revision }: Sending): RawBuilder<boolean> {
  return sql`r.campaign_id = ${campaign_id} and r.revision = ${import_revision}`
}
