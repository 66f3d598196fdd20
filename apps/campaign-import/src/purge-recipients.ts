import { type Kysely, type RawBuilder, sql } from 'kysely'
import { status } from './campaign.ts'
import type { Database } from './database.ts'

/** Deletes up to a number of recipients of campaigns that ended before a time, then of uploads that nobody used. */
export function createRecipientPurge(db: Kysely<Database>) {
  const rowsOf = async (statement: RawBuilder<unknown>) =>
    Number((await statement.execute(db)).numAffectedRows ?? 0n)
  return async (before: Date, limit: number): Promise<number> => {
    const recipients = await rowsOf(sql`
      delete from notification_recipients where ctid = any (array(
        select r.ctid from notification_recipients r join notification_campaigns c using (campaign_id)
        where c.status in (${status.sent}, ${status.stopped}, ${status.importFailed}, ${status.cancelled}) and c.updated_at < ${before}
        limit ${limit}))`)
    if (recipients === limit) return recipients
    const uploads = await rowsOf(sql`
      delete from notification_uploads where s3_key = any (array(
        select u.s3_key from notification_uploads u where u.created_at < ${before} and not exists (
          select from notification_campaigns c where u.s3_key in (c.s3_key, c.registration_key))
        limit ${limit - recipients}))`)
    return recipients + uploads
  }
}
