import { assertOptions, aText } from '@stepwright/errors/options'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { countedStates } from './outbox.ts'
import { defaultRateTable, type PostgresOutboxOptions, tableChecks } from './postgres/postgres-outbox.ts'
import { suppressionsSql } from './postgres/postgres-suppressions.ts'
import { quote } from './postgres/queryable.ts'

/** The table of suppressed addresses as a Kysely migration; put it among your own under a name of your order. */
export function createSuppressionsMigration(options: { readonly tableName?: string } = {}): Migration {
  assertOptions('createSuppressionsMigration', options, { tableName: aText })
  return {
    async up(db) {
      await sql.raw(suppressionsSql(options)).execute(db)
    },
  }
}

/**
 * Gives a table of recipients, which has a column `email`, and one of mailings the columns that the outbox needs, as
 * far as they do not have them, and makes the table of the rate. Takes what `createPostgresOutbox` is given, without the
 * pool.
 */
export function createOutboxMigration(
  tables: Pick<PostgresOutboxOptions, 'recipients' | 'mailings' | 'rate'>,
): Migration {
  assertOptions('createOutboxMigration', tables, tableChecks)
  const { recipients, mailings, rate = defaultRateTable } = tables
  const states = ['pending', 'resend', ...countedStates].map(state => `'${state}'`)
  const counts = countedStates.map(
    state => `add column if not exists ${state}_count integer not null default 0`,
  )
  return {
    async up(db) {
      await sql
        .raw(
          `alter table ${quote(recipients)}
            add column if not exists send_status text not null default 'pending',
            add column if not exists sending_until timestamptz,
            add column if not exists message_id text,
            add column if not exists bounce_reason text,
            add check (send_status in (${states.join(', ')}))`,
        )
        .execute(db)
      await sql
        .raw(
          `alter table ${quote(mailings)} ${counts.join(', ')},
            add column if not exists updated_at timestamptz not null default now()`,
        )
        .execute(db)
      await sql.raw(`create table if not exists ${quote(rate)} (used_until timestamptz not null)`).execute(db)
      await sql
        .raw(`insert into ${quote(rate)} select now() where not exists (select from ${quote(rate)})`)
        .execute(db)
    },
  }
}
