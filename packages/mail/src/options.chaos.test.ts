import { fuzzOptions } from '@stepwright/bench/fuzz-options'
import { describe, it } from 'vitest'
import { createMemoryOutbox } from './memory-outbox.ts'
import { createOutboxMigration, createSuppressionsMigration } from './migrations.ts'
import { createPostgresOutbox } from './postgres/postgres-outbox.ts'
import { createPostgresSuppressions } from './postgres/postgres-suppressions.ts'
import { sendOutbox } from './send-outbox.ts'
import { createSesMailer } from './ses-mailer.ts'
import { createMemoryMailer, createMemoryOutbox as createTestOutbox } from './test/memory-outbox.ts'

const pool = { query: async () => ({ rows: [], rowCount: 0 }) }
const tables = { recipients: 'r', mailings: 'm', columns: ['name'], suppressions: 's', rate: 'rate' }
const outboxPorts = { recipientsOf: () => [], isOpen: () => true, onChange: () => {}, now: Date.now }

describe('whatever the options, they are refused or obeyed', { timeout: 600_000 }, () => {
  it.each([
    { name: 'createMemoryOutbox', call: createMemoryOutbox, options: { ...outboxPorts, suppressions: {} } },
    { name: 'createSuppressionsMigration', call: createSuppressionsMigration, options: { tableName: 's' } },
    { name: 'createOutboxMigration', call: createOutboxMigration, options: tables },
    { name: 'createPostgresOutbox', call: createPostgresOutbox, options: { pool, ...tables } },
    {
      name: 'createPostgresSuppressions',
      call: createPostgresSuppressions,
      options: { pool, tableName: 's' },
    },
    { name: 'createSesMailer', call: createSesMailer, options: { config: {}, configurationSet: 'set' } },
    {
      name: 'sendOutbox',
      call: sendOutbox,
      options: {
        outbox: createTestOutbox([]).outbox,
        mailer: createMemoryMailer().mailer,
        toMessage: () => ({}),
        maxSendRate: 14,
        after: '',
        hasSent: false,
        sleep: async () => {},
        now: () => 0,
        until: 1000,
        signal: new AbortController().signal,
      },
    },
  ])('$name', fuzzOptions)
})
