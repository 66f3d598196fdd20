import { createIdempotencyMigration } from '@stepwright/idempotency/migrations'
import { deleteExpiredKeys } from '@stepwright/idempotency/postgres'
import { purgeKeys } from '@stepwright/idempotency/tasks'
import { toScheduleHandler } from '@stepwright/task/schedule'
import pg from 'pg'

export const migrations = { '001-idempotency': createIdempotencyMigration() }

const pool = new pg.Pool()
export const purge = toScheduleHandler(purgeKeys, {
  ports: { deleteExpired: (limit: number) => deleteExpiredKeys({ pool }, limit) },
  input: () => ({}),
})
