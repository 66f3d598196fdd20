import { createLedgerMigration } from '@stepwright/batch-writer/migrations'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

const createCampaigns: Migration = {
  async up(db) {
    await sql`
      create table notification_uploads (
        s3_key text primary key,
        owner_id text not null,
        created_at timestamptz not null default now()
      )`.execute(db)
    await sql`
      create table notification_campaigns (
        campaign_id uuid primary key default gen_random_uuid(),
        owner_id text not null,
        registration_key text not null unique,
        registration_hash text not null,
        subject text not null,
        body_html text not null,
        body_text text not null,
        from_address text not null,
        scheduled_at timestamptz not null,
        s3_key text not null,
        status text not null check (status in ('取込中', '取込失敗', '送信予約済', '送信中', '送信済')),
        revision integer not null default 1,
        total_count integer,
        duplicate_count integer,
        rejected_count integer,
        failure_reason jsonb,
        import_execution_arn text,
        execution_arn text,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`.execute(db)
    await sql`create index on notification_campaigns (status, updated_at)`.execute(db)
  },
  async down(db) {
    await sql`drop table notification_campaigns, notification_uploads`.execute(db)
  },
}

/** The revision is part of the key: a late writer of an earlier import adds nothing to the newest. */
const createRecipients: Migration = {
  async up(db) {
    await sql`
      create table notification_recipients (
        campaign_id uuid not null,
        revision integer not null,
        email text not null,
        name text,
        send_status text not null default 'pending'
          check (send_status in ('pending', 'claimed', 'sent', 'bounced')),
        message_id text,
        bounce_reason text,
        primary key (campaign_id, revision, email)
      )`.execute(db)
  },
  async down(db) {
    await sql`drop table notification_recipients`.execute(db)
  },
}

export const migrations: Readonly<Record<string, Migration>> = {
  '001-campaigns': createCampaigns,
  '002-recipients': createRecipients,
  '003-chunk-ledger': createLedgerMigration(),
}

/** Brings the database to the newest schema; safe to run at the same time from many places. */
// biome-ignore lint/suspicious/noExplicitAny: a migrator knows no tables
export async function migrate(db: Kysely<any>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
