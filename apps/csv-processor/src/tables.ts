import { createLedgerMigration } from '@stepwright/batch-writer/migrations'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ledgerTable } from './user-activity.ts'

const createUserActivity: Migration = {
  async up(db) {
    await sql`
      create table user_activity (
        user_id text collate "C" primary key,
        login_count bigint not null check (login_count >= 0),
        post_count bigint not null check (post_count >= 0)
      )`.execute(db)
  },
}

/** What each upload of a file says, so that another upload of the same file can take its place. */
const keepContributions: Migration = {
  async up(db) {
    await sql`
      create table user_contribution (
        source text collate "C",
        upload_order text collate "C",
        user_id text collate "C",
        login_count bigint not null check (login_count >= 0),
        post_count bigint not null check (post_count >= 0),
        primary key (source, upload_order, user_id)
      );
      insert into user_contribution select '', '', user_id, login_count, post_count from user_activity;
      drop table user_activity;
      create view user_activity as
        select user_id, sum(login_count)::bigint as login_count, sum(post_count)::bigint as post_count
        from user_contribution
        join (select source, max(upload_order) as upload_order from user_contribution group by source) latest
          using (source, upload_order)
        group by user_id`.execute(db)
  },
}

/**
 * Readers see an upload when its execution has succeeded, and all of it at once. What they saw before is entered as
 * completed: the newest upload of each file, also of what was counted before files were told apart ('').
 */
const publishUploads: Migration = {
  async up(db) {
    await sql`
      create table completed_upload (
        source text collate "C" primary key,
        upload_order text collate "C" not null
      );
      insert into completed_upload select source, max(upload_order) from user_contribution group by source;
      create or replace view user_activity as
        select user_id, sum(login_count)::bigint as login_count, sum(post_count)::bigint as post_count
        from user_contribution
        join completed_upload using (source, upload_order)
        group by user_id`.execute(db)
  },
}

/** How the tables came to be, in this order. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-user-activity': createUserActivity,
  '0002-ledger': createLedgerMigration({ tableName: ledgerTable }),
  '0003-contributions': keepContributions,
  '0004-completed-uploads': publishUploads,
}
