import type { OutboxStore } from '@stepwright/mail'
import { createPostgresOutbox } from '@stepwright/mail/postgres'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Recipient } from './campaign.ts'
import type { Database } from './database.ts'
import { outboxTables } from './mailing.ts'

/** The outbox as part of a transaction. */
export function outboxIn(db: Kysely<Database>): OutboxStore<Recipient> {
  const query = async (text: string, values: unknown[] = []) => {
    const { rows, numAffectedRows = 0n } = await db.executeQuery(CompiledQuery.raw(text, values))
    return { rows, rowCount: Number(numAffectedRows) }
  }
  return createPostgresOutbox({ ...outboxTables, pool: { query } })
}
