import { createIdempotencyMigration } from '@stepwright/idempotency/migrations'
import { createJobSlotsMigration, createProcessingStateMigration } from '@stepwright/progress/postgres'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { generationTypes } from './generation.ts'

/** Who a token's `sub` is. A user is added with their first generation, and takes all of them along. */
const createUsers: Migration = {
  async up(db) {
    await sql`create table users (
      id text primary key,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  },
}

/** The table takes jobs of any type; these are the app's. */
const limitTypes: Migration = {
  async up(db) {
    const types = sql.join(generationTypes.map(type => sql.lit(type)))
    await sql`alter table processing_state add constraint processing_state_type check (type in (${types}))`.execute(
      db,
    )
  },
}

/** How the tables came to be, in this order. */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-users': createUsers,
  '002-processing-state': createProcessingStateMigration({ userTableName: 'users' }),
  '003-types': limitTypes,
  '004-idempotency': createIdempotencyMigration(),
  '005-job-slots': createJobSlotsMigration(),
}
