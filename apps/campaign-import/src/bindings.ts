import { type Binding, bindFrom, setting } from '@stepwright/app/bindings'
import { chunkLedger, rowWriter } from '@stepwright/batch-writer/bindings'
import {
  outbox as outboxIn,
  suppressions as suppressionsIn,
  unsubscribeTokens,
} from '@stepwright/mail/bindings'
import { kysely, postgres } from '@stepwright/postgres/bindings'
import * as z from 'zod/mini'
import type { Recipient } from './campaign.ts'
import type { Campaigns } from './campaigns.ts'
import type { Database, RecipientRow } from './database.ts'
import { maxRejectedRows, rowsPerChunk } from './import-limits.ts'
import { outboxTables } from './mailing.ts'
import { db, unsubscribeKeys } from './resources.ts'

export const pool = postgres(db, { applicationName: 'campaign-import' })
export const database = kysely<Database>(pool)
export const ledger = chunkLedger(pool)
export const suppressions = suppressionsIn(pool)
export const outbox = outboxIn<Recipient>(pool, outboxTables)
export const tokens = unsubscribeTokens(unsubscribeKeys)

export const campaigns: Binding<Campaigns> = bindFrom(database, async opened =>
  (await import('./postgres-campaigns.ts')).createPostgresCampaigns(opened),
)

export const writer = rowWriter<RecipientRow>(
  pool,
  {
    tableName: 'notification_recipients',
    columns: ['campaign_id', 'revision', 'email', 'name', 'fields'],
    conflict: { mode: 'ignore', key: ['campaign_id', 'revision', 'email'] },
  },
  { batchSize: rowsPerChunk, maxRejected: maxRejectedRows },
)

const list = z.pipe(
  z.string(),
  z.transform(text => text.split(',').map(sender => sender.trim())),
)

/** Addresses and domains that may be sent from. */
export const senders = setting('ALLOWED_SENDERS', list, { value: 'example.com, example.jp' })

/** Messages a second, as SES allows the account. */
export const maxSendRate = setting('MAX_SEND_RATE', z.coerce.number().check(z.gte(1)), { value: 14 })

/** The routes for staff: the task hears who calls, and answers with what it returns. */
export const ofCaller = { caller: 'caller', envelope: false } as const
