import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { dropIdempotencySql, idempotencySql } from './idempotency-table.ts'

/** The table of keys as a Kysely migration; put it among your own under a name of your order. */
export function createIdempotencyMigration(options: { readonly tableName?: string } = {}): Migration {
  return {
    async up(db) {
      await sql.raw(idempotencySql(options)).execute(db)
    },
    async down(db) {
      await sql.raw(dropIdempotencySql(options)).execute(db)
    },
  }
}
