import { testDatabase } from '@stepwright/local-postgres/vitest'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { createMemoryOutbox, createMemorySuppressions } from './memory.ts'
import { createOutboxMigration, createSuppressionsMigration } from './migrations.ts'
import type { OutboxRecipient, Send, SendCounts } from './outbox.ts'
import { createPostgresOutbox, createPostgresSuppressions } from './postgres.ts'
import { type OutboxUnderTest, testOutboxStore } from './testing.ts'

testOutboxStore('memory', async (): Promise<OutboxUnderTest> => {
  const recipients: OutboxRecipient[] = []
  const suppressions = createMemorySuppressions()
  let [time, isOpen] = [0, true]
  let counts = {} as SendCounts
  const store = createMemoryOutbox({
    recipientsOf: () => recipients,
    isOpen: () => isOpen,
    onChange: (_, changed) => {
      counts = changed
    },
    suppressions,
    now: () => time,
  })
  const send: Send = { recipients: {}, mailing: {}, while: {} }
  return {
    store,
    send,
    add: async emails => void recipients.push(...emails.map(email => ({ email }))),
    async pause() {
      isOpen = false
    },
    async resume({ onlyChosen }) {
      isOpen = true
      return { ...send, onlyChosen }
    },
    counts: async () => counts,
    suppress: async each => void (await suppressions.add([each])),
    async wait(seconds) {
      time += seconds * 1000
    },
  }
})

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url, max: 3 })
afterAll(() => pool.end())
const tables = { recipients: 'outbox.recipient', mailings: 'outbox.mailing', rate: 'outbox.rate' }

async function postgresWorld(): Promise<OutboxUnderTest> {
  await pool.query(`drop schema if exists outbox cascade; create schema outbox;
    create table outbox.mailing (id uuid primary key default gen_random_uuid(), phase text not null);
    create table outbox.recipient (mailing_id uuid, email text collate "C", primary key (mailing_id, email))`)
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  await createSuppressionsMigration({ tableName: 'outbox.suppression' }).up(db)
  await createOutboxMigration(tables).up(db)
  const { rows } = await pool.query(
    `insert into outbox.mailing (phase) values ('open'), ('open') returning id`,
  )
  const [{ id }, { id: other }] = rows
  const say = (phase: string) => pool.query('update outbox.mailing set phase = $2 where id = $1', [id, phase])
  const send: Send = { recipients: { mailing_id: id }, mailing: { id }, while: { phase: 'open' } }
  const suppressions = createPostgresSuppressions({ pool, tableName: 'outbox.suppression' })
  return {
    store: createPostgresOutbox({ pool, ...tables, suppressions: 'outbox.suppression' }),
    send,
    async add(emails) {
      for (const mailing of [id, other]) {
        const add = 'insert into outbox.recipient (mailing_id, email) select $1, unnest($2::text[])'
        await pool.query(add, [mailing, emails])
      }
    },
    pause: async () => void (await say('paused')),
    async resume({ onlyChosen }) {
      await say('again')
      return { ...send, while: { phase: 'again' }, onlyChosen }
    },
    async counts() {
      const columns = ['sending', 'unconfirmed', 'sent', 'bounced', 'suppressed', 'complained']
      const list = columns.map(name => `${name}_count as ${name}`).join()
      return (await pool.query(`select ${list} from outbox.mailing where id = $1`, [id])).rows[0]
    },
    suppress: async each => void (await suppressions.add([each])),
    async wait(seconds) {
      const earlier = 'sending_until = sending_until - make_interval(secs => $1)'
      await pool.query(`update outbox.recipient set ${earlier}`, [seconds])
    },
  }
}

testOutboxStore('PostgreSQL', postgresWorld)

describe('createPostgresOutbox', () => {
  it('lets one rate pass for all who send', async () => {
    const { store, send } = await postgresWorld()
    const [one, other] = [store.open(send), store.open(send)]
    await one.takeTurn(1, 1000)
    const waits = [await one.takeTurn(10, 10), await other.takeTurn(5, 10), await one.takeTurn(1, 10)]
    expect(waits[0]).toBeLessThan(100)
    expect(waits[1]).toBeGreaterThan(800)
    expect(waits[2]).toBeGreaterThan(1300)
  })

  it('hands out nobody after a pause that was committed while it waited', async () => {
    const { store, send, add } = await postgresWorld()
    await add(['a@x.jp'])
    const pausing = await pool.connect()
    await pausing.query('begin')
    await pausing.query(`update outbox.mailing set phase = 'paused'`)
    const claiming = store.open(send).claim('', 9)
    await expect
      .poll(async () => {
        const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'with gate%'`
        return (await pool.query(waiting)).rows.length
      })
      .toBe(1)
    await pausing.query('commit')
    pausing.release()
    expect(await claiming).toEqual([])
  })
})
