import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { suppressionsSql } from './postgres-suppressions.ts'

/** The table of suppressed addresses as a Kysely migration; put it among your own under a name of your order. */
export function createSuppressionsMigration(options: { readonly tableName?: string } = {}): Migration {
  return {
    async up(db) {
      await sql.raw(suppressionsSql(options)).execute(db)
    },
  }
}
