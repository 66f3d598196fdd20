import { type Kysely, sql } from 'kysely'
import type { CampaignRun, Recipients } from './campaigns.ts'
import type { Database } from './database.ts'
import { importJob } from './import-job.ts'

export function createPostgresRecipients(db: Kysely<Database>): Recipients {
  const ofRun = ({ campaign_id, revision }: CampaignRun) =>
    db
      .selectFrom('notification_recipients')
      .where('campaign_id', '=', campaign_id)
      .where('revision', '=', revision)

  async function deleteUpTo(run: CampaignRun, compare: '<' | '<=', limit: number): Promise<number> {
    const doomed = db
      .selectFrom('notification_recipients')
      .select(sql<string>`ctid`.as('ctid'))
      .where('campaign_id', '=', run.campaign_id)
      .where('revision', compare, run.revision)
      .limit(limit)
    const { numDeletedRows } = await db
      .deleteFrom('notification_recipients')
      .where(sql<string>`ctid`, 'in', doomed)
      .executeTakeFirst()
    return Number(numDeletedRows)
  }

  return {
    deleteEarlier: (run, limit) => deleteUpTo(run, '<', limit),
    deleteAll: (run, limit) => deleteUpTo(run, '<=', limit),

    // The ledger's entries are committed together with their rows: no need to count those.
    async summarize(run, shownRows) {
      const ledger = db.selectFrom('stepwright_chunk_ledger').where('job', '=', importJob(run))
      const counts = await ledger
        .select([
          sql<string>`coalesce(sum(inserted), 0)`.as('total'),
          sql<string>`coalesce(sum(duplicates + unchanged), 0)`.as('duplicates'),
          sql<string>`coalesce(sum(rejected), 0)`.as('rejected'),
        ])
        .executeTakeFirstOrThrow()
      const rejected = Number(counts.rejected)
      const chunks =
        rejected === 0 || shownRows === 0
          ? []
          : await ledger
              .select('rejections')
              .where('rejected', '>', '0')
              .orderBy('chunk')
              .limit(shownRows)
              .execute()
      const rejectedRows = chunks.flatMap(({ rejections }) =>
        rejections.map(({ rowNumber, reason }) => ({ row: rowNumber, reason })),
      )
      return {
        total: Number(counts.total),
        duplicates: Number(counts.duplicates),
        rejected,
        rejectedRows: rejectedRows.slice(0, shownRows),
      }
    },

    // Materialized, or the inner query may be run again for each row, and find others each time.
    async claim({ campaign_id, revision }, after, limit) {
      const { rows } = await sql<{ email: string; name: string | null }>`
        with next as materialized (
          select email from notification_recipients
          where campaign_id = ${campaign_id} and revision = ${revision}
            and email > ${after} and send_status = 'pending'
          order by email limit ${limit} for update skip locked
        )
        update notification_recipients r set send_status = 'claimed' from next
        where r.campaign_id = ${campaign_id} and r.revision = ${revision} and r.email = next.email
        returning r.email, r.name`.execute(db)
      return rows.toSorted((a, b) => Buffer.compare(Buffer.from(a.email), Buffer.from(b.email)))
    },

    async record({ campaign_id, revision }, outcomes) {
      if (outcomes.length === 0) return
      const emails = outcomes.map(({ email }) => email)
      const messageIds = outcomes.map(outcome => ('sent' in outcome ? outcome.sent : null))
      const reasons = outcomes.map(outcome => ('bounced' in outcome ? outcome.bounced : null))
      await sql`
        update notification_recipients r
        set send_status = case when o.message_id is null then 'bounced' else 'sent' end,
            message_id = o.message_id, bounce_reason = o.reason
        from unnest(${emails}::text[], ${messageIds}::text[], ${reasons}::text[]) as o (email, message_id, reason)
        where r.campaign_id = ${campaign_id} and r.revision = ${revision} and r.email = o.email`.execute(db)
    },

    async release({ campaign_id, revision }, emails) {
      if (emails.length === 0) return
      await sql`
        update notification_recipients set send_status = 'pending'
        where campaign_id = ${campaign_id} and revision = ${revision}
          and email = any(${emails}::text[]) and send_status = 'claimed'`.execute(db)
    },

    async countSent(run) {
      const rows = await ofRun(run)
        .select(eb => ['send_status', eb.fn.countAll<string>().as('total')])
        .groupBy('send_status')
        .execute()
      const of = (name: string) => Number(rows.find(row => row.send_status === name)?.total ?? 0)
      return { pending: of('pending'), unconfirmed: of('claimed'), sent: of('sent'), bounced: of('bounced') }
    },
  }
}
