import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chaosRounds } from '@stepwright/bench/chaos'
import { testDatabase } from '@stepwright/local-postgres/vitest'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { idempotencySql } from './idempotency-table.ts'
import { createPostgresIdempotencyStore } from './postgres-store.ts'

const rounds = chaosRounds(5)
const orders = 8 * rounds
const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url })
beforeAll(async () => {
  await pool.query(idempotencySql())
  await pool.query('create table payment (order_id int, receipt text)')
})
afterAll(() => pool.end())

const running = new Set<ChildProcess>()
afterEach(() => {
  for (const process of running) process.kill('SIGKILL')
})

function startPayer(): ChildProcess {
  const script = fileURLToPath(new URL('./test/payer-process.ts', import.meta.url))
  const payer = spawn(process.execPath, [script, url, String(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(payer)
  payer.once('exit', () => running.delete(payer))
  return payer
}

/** Ends a process somewhere around its nth step: with the lock, the payment, or the result in its hands. */
async function killAfter(steps: number, payer: ChildProcess): Promise<void> {
  if (payer.stdout === null) return
  let seen = 0
  for await (const _ of createInterface(payer.stdout)) {
    if (++seen >= steps) break
  }
  payer.kill('SIGKILL')
  if (running.has(payer)) await once(payer, 'exit')
}

it('pays every order once, although processes are killed while they pay', async () => {
  for (let round = 1; round <= rounds; round += 1) {
    // A killed owner leaves its lock; others that run at the same time have to wait for it.
    await Promise.all([killAfter(1 + (round % 4), startPayer()), killAfter(2 + (round % 7), startPayer())])
  }
  const last = startPayer()
  last.stdout?.resume()
  expect(await once(last, 'exit')).toEqual([0, null])

  const { rows } = await pool.query('select order_id, receipt from payment order by order_id')
  expect(rows.map(({ order_id }) => order_id)).toEqual(
    Array.from({ length: orders }, (_, index) => index + 1),
  )
  const store = createPostgresIdempotencyStore({ pool })
  for (const { order_id: order, receipt } of rows) {
    expect(await store.find(`pay#${order}`)).toMatchObject({ outcome: { ok: true, value: { receipt } } })
  }
})
