import { startPostgres } from '@stepwright/local-postgres'
import { migrateDatabase } from '@stepwright/postgres/migrations'
import pg from 'pg'
import { expect, it } from 'vitest'
import { migrations } from './tables.ts'

it('keeps campaigns of an earlier version: whoever was claimed is unconfirmed', {
  timeout: 60_000,
}, async () => {
  await using postgres = await startPostgres({ databaseUrl: '' })
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
  try {
    const migrate = (until: string) => {
      const chosen = Object.entries(migrations).filter(([name]) => name < until)
      const task = migrateDatabase({ migrationTableName: 'm', migrations: Object.fromEntries(chosen) })
      return task.run({}, { pool })
    }
    await migrate('007')
    const id = '00000000-0000-4000-8000-000000000001'
    await pool.query(
      `insert into notification_campaigns (campaign_id, owner_id, registration_key, registration_hash, subject,
        body_html, body_text, from_address, scheduled_at, s3_key, s3_etag, status, total_count, sent_count, claimed_count)
       values ($1, 'ann', 'k', '', 's', 'h', 't', 'a@example.jp', now(), 'x', '', '取込中', 3, 1, 1)`,
      [id],
    )
    await pool.query(
      `insert into notification_recipients (campaign_id, revision, email, send_status)
       values ($1, 1, 'a@x.jp', 'sent'), ($1, 1, 'b@x.jp', 'claimed'), ($1, 1, 'c@x.jp', 'pending')`,
      [id],
    )
    await migrate('999')
    const recipients = await pool.query(
      'select send_status, sending_until from notification_recipients order by email',
    )
    expect(recipients.rows).toEqual([
      { send_status: 'sent', sending_until: null },
      { send_status: 'unconfirmed', sending_until: null },
      { send_status: 'pending', sending_until: null },
    ])
    const campaign = await pool.query(
      'select status, sent_count, unconfirmed_count, sending_count, resend_revision from notification_campaigns',
    )
    expect(campaign.rows).toEqual([
      { status: '取込中', sent_count: 1, unconfirmed_count: 1, sending_count: 0, resend_revision: null },
    ])
  } finally {
    await pool.end()
  }
})
