import { assertOptions, aText } from '@stepwright/errors/options'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { jobStatuses } from './job.ts'
import { finalStatuses } from './transitions.ts'

/** Where the parts of jobs are kept. */
export function partTableOf(tableName: string): string {
  return `${tableName}_part`
}

export interface ProcessingStateMigrationOptions {
  /** @default 'processing_state' */
  readonly tableName?: string
  /** A table of users, with `id` as its key: when one goes, so do the user's jobs. @default none */
  readonly userTableName?: string
}

/** The table and its indexes, for Kysely's Migrator or to run by hand: `await migration.up(db)`. */
export function createProcessingStateMigration(options: ProcessingStateMigrationOptions = {}): Migration {
  assertOptions('createProcessingStateMigration', options, { tableName: aText, userTableName: aText })
  const { tableName = 'processing_state', userTableName } = options
  const prefix = tableName.replace(/^.*\./, '')
  const partTable = partTableOf(tableName)
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable(tableName)
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('user_id', 'text', column => column.notNull())
        .addColumn('type', 'text', column => column.notNull())
        .addColumn('status', 'text', column =>
          column
            .notNull()
            .defaultTo('PENDING')
            .check(sql`status in (${sql.join(jobStatuses.map(status => sql.lit(status)))})`),
        )
        .addColumn('target_id', 'text')
        .addColumn('progress', 'integer', column =>
          column
            .notNull()
            .defaultTo(0)
            .check(sql`progress between 0 and 100 and (progress < 100 or status = 'COMPLETED')`),
        )
        .addColumn('params', 'jsonb')
        .addColumn('result', 'jsonb')
        .addColumn('error', 'jsonb')
        .addColumn('retry_count', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('retry_of', 'text')
        .addColumn('priority', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('payload_key', 'text')
        .addColumn('version', 'integer', column => column.notNull().defaultTo(0))
        .addColumn('attempt', 'integer', column => column.notNull().defaultTo(0))
        // Milliseconds, as JavaScript's dates have: a time that was read can be compared with.
        .addColumn('created_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`now()`))
        .addColumn('updated_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`now()`))
        .addColumn('completed_at', 'timestamptz(3)')
        .addColumn('entered_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`now()`))
        .addColumn('started_at', 'timestamptz(3)')
        .addColumn('heartbeat_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`now()`))
        .addColumn('launched_at', 'timestamptz(3)')
        .addCheckConstraint(
          `${prefix}_ended`,
          sql`(completed_at is not null) = (status in (${sql.join(finalStatuses.map(status => sql.lit(status)))}))`,
        )
        .execute()
      const indexes = [
        ['user_id', 'created_at'],
        ['status', 'created_at'],
        ['type', 'status'],
      ]
      for (const columns of indexes) {
        await db.schema
          .createIndex(`${prefix}_${columns.join('_')}_idx`)
          .on(tableName)
          .columns(columns)
          .execute()
      }
      // Only jobs that run are ever asked for their silence, and they are few.
      await sql`create index ${sql.id(`${prefix}_running_idx`)} on ${sql.table(tableName)} (heartbeat_at)
        where status in ('PENDING', 'PROCESSING')`.execute(db)
      await sql`create index ${sql.id(`${prefix}_waiting_idx`)} on ${sql.table(tableName)}
        (priority desc, created_at, id) where status = 'PENDING' and launched_at is null`.execute(db)
      await sql`create index ${sql.id(`${prefix}_launched_idx`)} on ${sql.table(tableName)} (launched_at)
        where status = 'PENDING' and launched_at is not null`.execute(db)
      await sql`create index ${sql.id(`${prefix}_payload_key_idx`)} on ${sql.table(tableName)}
        (user_id, payload_key) where status = 'COMPLETED' and payload_key is not null`.execute(db)
      if (userTableName !== undefined) {
        await sql`alter table ${sql.table(tableName)} add foreign key (user_id)
          references ${sql.table(userTableName)} (id) on delete cascade`.execute(db)
      }
      await sql`create table ${sql.table(partTable)} (
        job_id text not null references ${sql.table(tableName)} (id) on delete cascade,
        part integer not null,
        value jsonb,
        version integer not null,
        progress integer not null,
        primary key (job_id, part)
      )`.execute(db)
    },
    async down(db: Kysely<unknown>) {
      await db.schema.dropTable(partTable).execute()
      await db.schema.dropTable(tableName).execute()
    },
  }
}

/** The function that counts the open jobs of a user. */
export function openJobsFunctionOf(tableName: string): string {
  return `${tableName}_open_jobs`
}

/**
 * What counts the workers that outlast their jobs, and the open jobs of a user: needed after
 * `createProcessingStateMigration`.
 */
export function createJobSlotsMigration(
  options: Pick<ProcessingStateMigrationOptions, 'tableName'> = {},
): Migration {
  assertOptions('createJobSlotsMigration', options, { tableName: aText })
  const { tableName = 'processing_state' } = options
  const prefix = tableName.replace(/^.*\./, '')
  return {
    async up(db: Kysely<unknown>) {
      await sql`alter table ${sql.table(tableName)} add column worker_until timestamptz(3)`.execute(db)
      await sql`create index ${sql.id(`${prefix}_worker_idx`)} on ${sql.table(tableName)} (worker_until)
        where worker_until is not null`.execute(db)
      await sql`create index ${sql.id(`${prefix}_served_idx`)} on ${sql.table(tableName)} (user_id, launched_at)
        where launched_at is not null`.execute(db)
      // Under a lock, and with a look at the table of its own after it: of starts at the same moment, each counts those before.
      await sql`create function ${sql.table(openJobsFunctionOf(tableName))}(owner text) returns bigint
        language plpgsql volatile as $$
        begin
          perform pg_advisory_xact_lock(hashtext(${sql.lit(`${tableName} `)} || owner));
          return (select count(*) from ${sql.table(tableName)}
            where user_id = owner and status in ('PENDING', 'PROCESSING'));
        end $$`.execute(db)
    },
    async down(db: Kysely<unknown>) {
      await sql`drop function ${sql.table(openJobsFunctionOf(tableName))}`.execute(db)
      await sql`drop index ${sql.table(tableName.replace(/(?<![^.])[^.]*$/, `${prefix}_served_idx`))}`.execute(
        db,
      )
      await sql`alter table ${sql.table(tableName)} drop column worker_until`.execute(db)
    },
  }
}
