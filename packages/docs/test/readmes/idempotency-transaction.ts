import { lockOf } from '@stepwright/idempotency'
import { createPostgresIdempotencyStore } from '@stepwright/idempotency/postgres'
import type { TaskContext } from '@stepwright/task'
import type pg from 'pg'

export async function pay(context: TaskContext, transaction: pg.ClientBase, result: object): Promise<void> {
  const lock = lockOf(context)
  await transaction.query('insert into payment …')
  await lock.completeIn(createPostgresIdempotencyStore({ pool: transaction }), result) // throws if the lock was lost: roll back
  await transaction.query('commit')
}
