import { type Kysely, sql } from 'kysely'
import { type Recipient, status } from './campaign.ts'
import type { Recipients, Sending } from './campaigns.ts'
import type { Database, SendStatus } from './database.ts'
import { isCampaignId } from './postgres-campaigns.ts'

interface Move {
  readonly email: string
  readonly to: SendStatus
  readonly messageId?: string
  readonly reason?: string
}

/** Recipients and the campaign's counts change together, so that nobody has to count millions of rows. */
export function createPostgresRecipients(db: Kysely<Database>): Recipients {
  /** Brings recipients who are in one of the states into another. Who is in none of them is left alone. */
  async function move(
    { campaign_id, import_revision }: Omit<Sending, 'revision'>,
    from: readonly SendStatus[],
    moves: readonly Move[],
  ): Promise<void> {
    if (moves.length === 0) return
    const column = (name: keyof Move) => moves.map(each => each[name] ?? null)
    const isOf = sql<boolean>`r.campaign_id = ${campaign_id} and r.revision = ${import_revision}`
    const counted = (state: SendStatus) =>
      sql<number>`(select count(*) filter (where is_now = ${state}) - count(*) filter (where was = ${state}) from moved)`
    await sql`
      with given as materialized (
        select * from unnest(${column('email')}::text[], ${column('to')}::text[],
          ${column('messageId')}::text[], ${column('reason')}::text[]) as g (email, state, message_id, reason)
      ), found as materialized (
        select r.email, r.send_status from notification_recipients r
        where ${isOf} and r.email = any(${column('email')}::text[]) and r.send_status = any(${from}::text[])
        order by r.email for update
      ), moved as (
        update notification_recipients r
        set send_status = g.state, message_id = coalesce(g.message_id, r.message_id), bounce_reason = g.reason
        from found join given g using (email) where ${isOf} and r.email = found.email
        returning found.send_status as was, r.send_status as is_now
      )
      update notification_campaigns set updated_at = now(),
        sent_count = sent_count + ${counted('sent')},
        bounced_count = bounced_count + ${counted('bounced')},
        claimed_count = claimed_count + ${counted('claimed')},
        suppressed_count = suppressed_count + ${counted('suppressed')},
        complained_count = complained_count + ${counted('complained')}
      where campaign_id = ${campaign_id} and exists (select from moved)`.execute(db)
  }

  return {
    // Materialized, or the inner query may be run again for each row, and find others each time.
    async claim({ campaign_id, revision, import_revision }, after, limit) {
      const { rows } = await sql<Recipient>`
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
          returning r.email, r.name, r.fields
        ), counted as (
          update notification_campaigns
          set claimed_count = claimed_count + (select count(*) from claimed), updated_at = now()
          where campaign_id = ${campaign_id} and exists (select from claimed)
        )
        select email, name, fields, s.reason as suppressed
        from claimed left join mail_suppressions s on s.address = email`.execute(db)
      return rows.toSorted((a, b) => Buffer.compare(Buffer.from(a.email), Buffer.from(b.email)))
    },

    async record(sending, outcomes) {
      const moves = outcomes.map((outcome): Move => {
        if ('sent' in outcome) return { email: outcome.email, to: 'sent', messageId: outcome.sent }
        return 'bounced' in outcome
          ? { email: outcome.email, to: 'bounced', reason: outcome.bounced }
          : { email: outcome.email, to: 'suppressed', reason: outcome.suppressed }
      })
      await move(sending, ['claimed'], moves)
    },

    async release(sending, emails) {
      const moves = emails.map((email): Move => ({ email, to: 'pending' }))
      await move(sending, ['claimed', 'bounced'], moves)
    },

    async recordEvents(events) {
      for (const { kind, addresses, messageId, reason, tags } of events) {
        const campaign = { campaign_id: tags['campaign_id'] ?? '', import_revision: Number(tags['revision']) }
        if (!isCampaignId(campaign.campaign_id) || !Number.isInteger(campaign.import_revision)) continue
        const to = { sent: 'sent', delivered: 'sent', bounced: 'bounced', complained: 'complained' } as const
        if (kind === 'undelivered') continue
        const moves = addresses.map((email): Move => ({ email, to: to[kind], messageId, reason }))
        await move(campaign, to[kind] === 'sent' ? ['claimed'] : ['claimed', 'sent'], moves)
      }
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
