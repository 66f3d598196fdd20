import { setTimeout as wait } from 'node:timers/promises'
import { ConcurrentExecutionError, isTaskError } from '@stepwright/errors'
import pg from 'pg'
import { createPostgresIdempotencyStore } from '../postgres-store.ts'
import { type HeldLock, runOnce } from '../run-once.ts'

/** Pays every order once, together with any number of others that do the same, and says what it is about to do. */
const [url, orders] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url })
const store = createPostgresIdempotencyStore({ pool })
function say(step: string): void {
  void process.stdout.write(`${step}\n`)
}

for (let order = 1; order <= Number(orders); order += 1) {
  while (!(await isPaid(order))) await wait(20)
}
await pool.end()

async function isPaid(order: number): Promise<boolean> {
  try {
    await runOnce({ store, key: `pay#${order}`, lockSeconds: 1 }, lock => pay(order, lock))
    return true
  } catch (error) {
    if (isTaskError(error, ConcurrentExecutionError)) return false
    throw error
  }
}

async function pay(order: number, lock: HeldLock): Promise<{ receipt: string }> {
  say('locked')
  const transaction = await pool.connect()
  try {
    await transaction.query('begin')
    await transaction.query('insert into payment values ($1, $2)', [order, lock.token])
    say('paid')
    await lock.completeIn(createPostgresIdempotencyStore({ pool: transaction }), { receipt: lock.token })
    say('settled')
    await transaction.query('commit')
    say('committed')
    return { receipt: lock.token }
  } catch (error) {
    await transaction.query('rollback')
    throw error
  } finally {
    transaction.release()
  }
}
