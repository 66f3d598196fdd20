import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { dropLedgerSql, ledgerSql } from './postgres/ledger.ts'

/** The ledger's table as a Kysely migration; put it among your own under a name of your order. */
export function createLedgerMigration({ tableName }: { readonly tableName?: string } = {}): Migration {
  return {
    async up(db) {
      await sql.raw(ledgerSql(tableName)).execute(db)
    },
    async down(db) {
      await sql.raw(dropLedgerSql(tableName)).execute(db)
    },
  }
}
