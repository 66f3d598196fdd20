import { createLedgerMigration } from '@stepwright/batch-writer/migrations'
import { createOutboxMigration, createSuppressionsMigration } from '@stepwright/mail/migrations'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { importEndedState } from './errors.ts'
import { outboxTables } from './mailing.ts'

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
        from_name text,
        scheduled_at timestamptz not null,
        s3_key text not null,
        s3_etag text not null,
        status text not null check (status in ('取込中', '取込失敗', '送信予約済', '送信中', '送信停止', '送信済')),
        revision integer not null default 1,
        import_revision integer not null default 1,
        total_count integer,
        duplicate_count integer,
        rejected_count integer,
        rejected_rows jsonb,
        failure_reason jsonb,
        execution_arn text,
        restarts integer not null default 0,
        sent_count integer not null default 0,
        bounced_count integer not null default 0,
        claimed_count integer not null default 0,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`.execute(db)
    await sql`create index on notification_campaigns (status, updated_at)`.execute(db)
    await sql`create index on notification_campaigns (owner_id, created_at, campaign_id)`.execute(db)
  },
}

const createRecipients: Migration = {
  async up(db) {
    await sql`
      create table notification_recipients (
        campaign_id uuid not null,
        revision integer not null,
        email text collate "C" not null,
        name text,
        send_status text not null default 'pending'
          check (send_status in ('pending', 'claimed', 'sent', 'bounced')),
        message_id text,
        bounce_reason text,
        primary key (campaign_id, revision, email)
      )`.execute(db)
    // One row: until when the rate is used up.
    await sql`create table notification_send_rate (used_until timestamptz not null)`.execute(db)
    await sql`insert into notification_send_rate values (now())`.execute(db)
  },
}

/**
 * Refuses recipients of an import that has failed or was replaced. A chunk that is still being written then
 * holds the campaign's row: whoever changes its status or revision waits for it, and nobody writes after it.
 */
const guardRecipients: Migration = {
  async up(db) {
    await sql`
      create function notification_require_import() returns trigger language plpgsql as $$
      declare
        import record;
      begin
        select campaign_id, revision into import from added limit 1;
        if not found then
          return null;
        end if;
        perform from notification_campaigns
          where campaign_id = import.campaign_id and import_revision = import.revision and status = '取込中'
          for share;
        if not found or exists (
          select from added where campaign_id <> import.campaign_id or revision <> import.revision
        ) then
          raise exception 'the import has ended or was replaced' using errcode = '${sql.raw(importEndedState)}';
        end if;
        return null;
      end $$`.execute(db)
    await sql`
      create trigger notification_require_import after insert on notification_recipients
      referencing new table as added for each statement execute function notification_require_import()`.execute(
      db,
    )
  },
}

/** The other columns of the CSV; who is not written to any more; what SES tells afterwards. */
const followMail: Migration = {
  async up(db) {
    await sql`alter table notification_campaigns
      add column suppressed_count integer not null default 0,
      add column complained_count integer not null default 0`.execute(db)
    await sql`alter table notification_recipients add column fields jsonb,
      drop constraint notification_recipients_send_status_check,
      add check (send_status in ('pending', 'claimed', 'sent', 'bounced', 'suppressed', 'complained'))`.execute(
      db,
    )
  },
}

/** What was claimed may be in flight or lost: nobody can tell any more. A resend leaves the status as it is. */
const separateUnconfirmed: Migration = {
  async up(db) {
    await sql`alter table notification_recipients
      drop constraint notification_recipients_send_status_check`.execute(db)
    await sql`update notification_recipients set send_status = 'unconfirmed' where send_status = 'claimed'`.execute(
      db,
    )
    await sql`alter table notification_campaigns rename column claimed_count to unconfirmed_count`.execute(db)
    await sql`alter table notification_campaigns add column resend_revision integer,
      drop constraint notification_campaigns_status_check,
      add check (status in ('取込中', '取込失敗', '送信予約済', '送信中', '送信停止', '送信済', '取消済'))`.execute(
      db,
    )
  },
}

/** How the tables came to be, in this order. */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-campaigns': createCampaigns,
  '002-recipients': createRecipients,
  '003-chunk-ledger': createLedgerMigration(),
  '004-guard-recipients': guardRecipients,
  '005-follow-mail': followMail,
  '006-suppressions': createSuppressionsMigration(),
  '007-separate-unconfirmed': separateUnconfirmed,
  '008-outbox': createOutboxMigration(outboxTables),
}
