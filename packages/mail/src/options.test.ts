import { describe, expect, it } from 'vitest'
import { createMemoryOutbox } from './memory-outbox.ts'
import { createOutboxMigration, createSuppressionsMigration } from './migrations.ts'
import { createPostgresOutbox } from './postgres/postgres-outbox.ts'
import { createPostgresSuppressions } from './postgres/postgres-suppressions.ts'
import { sendOutbox } from './send-outbox.ts'
import { createSesMailer } from './ses-mailer.ts'
import { createUnsubscribeTokens } from './unsubscribe-tokens.ts'

const tables = { recipients: 'recipients', mailings: 'mailings' }

describe('options', () => {
  it.each<[string, (options: never) => unknown, object, string]>([
    ['createMemoryOutbox', createMemoryOutbox, { isOpen: true }, 'isOpen must be a function'],
    ['createOutboxMigration', createOutboxMigration, { ...tables, rate: '' }, 'rate must be a text'],
    ['createSuppressionsMigration', createSuppressionsMigration, { table: 'x' }, 'table does not exist'],
    ['createPostgresOutbox', createPostgresOutbox, { ...tables, columns: 'name' }, 'columns must be a list'],
    ['createPostgresSuppressions', createPostgresSuppressions, { tabelName: 'x' }, 'tabelName does not'],
    ['createSesMailer', createSesMailer, { region: 'eu-west-1' }, 'region does not exist; there are config'],
    ['sendOutbox', sendOutbox, { maxSendRate: 0 }, 'maxSendRate must be a number above 0, and is 0'],
    ['sendOutbox', sendOutbox, { until: Number.NaN }, 'until must be a number from 0, and is NaN'],
  ])('%s refuses what is impossible or does not exist', async (name, call, options, problem) => {
    const called = async () => call(options as never)
    await expect(called()).rejects.toThrow(TypeError)
    await expect(called()).rejects.toThrow(`options of ${name}: ${problem}`)
  })

  it('createUnsubscribeTokens refuses keys that are texts', () => {
    const keys = ['k'.repeat(32)] as unknown as Uint8Array[]
    expect(() => createUnsubscribeTokens(keys)).toThrow('keys must be one key or more of 32 bytes each')
  })
})
