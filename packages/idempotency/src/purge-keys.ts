import { DatabaseConnectionError, TemporaryError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'

export interface PurgeKeysInput {
  /** How many one statement deletes. @default 1000 */
  readonly batchSize?: number | undefined
}

export interface PurgeKeysOutput {
  readonly deleted: number
  /** Whether none is left; if not, the next call goes on. */
  readonly done: boolean
}

export interface PurgeKeysPorts {
  /** `limit => deleteExpiredKeys({ pool }, limit)` of `/postgres`. DynamoDB deletes expired keys by itself. */
  readonly deleteExpired: (limit: number) => Promise<number>
}

/** What one more batch may take. */
const marginMs = 2000

/** Run it on a schedule: deletes keys that have expired, as far as the time allows. */
export const purgeKeys: Task<PurgeKeysInput, PurgeKeysOutput, PurgeKeysPorts> = /* @__PURE__ */ defineTask({
  name: 'purge-keys',
  description: 'Deletes idempotency keys that have expired.',
  idempotent: true,
  needs: {
    ports: { deleteExpired: 'Deletes up to a number of expired keys, and says how many it were.' },
    permissions: [{ actions: ['rds-db:connect'], on: 'the database user, where it signs in by IAM' }],
  },
  input: z.object({ batchSize: z._default(z.int().check(z.positive()), 1000) }),
  output: z.object({ deleted: z.int(), done: z.boolean() }),
  errors: [DatabaseConnectionError, TemporaryError],
  async run({ batchSize }, { deleteExpired }: PurgeKeysPorts, { signal, remainingMs }) {
    let deleted = 0
    for (;;) {
      const count = await deleteExpired(batchSize)
      deleted += count
      if (count < batchSize) return { deleted, done: true }
      if (signal.aborted || remainingMs() < marginMs) return { deleted, done: false }
    }
  },
})
