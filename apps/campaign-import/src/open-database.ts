import type { PostgresPool } from '@stepwright/batch-writer/postgres'
import { Kysely, PostgresDialect } from 'kysely'
import type { Campaigns, Recipients } from './campaigns.ts'
import type { Database } from './database.ts'
import { createPostgresCampaigns } from './postgres-campaigns.ts'
import { createPostgresRecipients } from './postgres-recipients.ts'

export function openDatabase(pool: PostgresPool): { campaigns: Campaigns; recipients: Recipients } {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return { campaigns: createPostgresCampaigns(db), recipients: createPostgresRecipients(db) }
}
