import type { TaskErrorClass } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { PurgeResult } from '../chunk-ledger.ts'
import { countSchema } from './schemas.ts'
import { databaseErrors } from './task-errors.ts'

export interface PurgeRowsInput {
  /** Whole days, at least 1. */
  readonly olderThanDays: number
}

export interface PurgeRowsPorts {
  /** Deletes up to `limit` rows that belong to a time before `before`, in one short transaction; how many it were. */
  readonly purge: (before: Date, limit: number) => Promise<number>
}

export interface PurgeRowsOptions {
  /** How many rows one transaction deletes. @default 5000 */
  readonly batchSize?: number
  /** A call is stopped after so long. The next one goes on where it was. */
  readonly maxSeconds?: number
  /** @default ValidationError, DatabaseConnectionError, TemporaryError */
  readonly errors?: readonly TaskErrorClass[]
  /** @default 'purge-rows' */
  readonly name?: string
  readonly description?: string
}

const dayMs = 86_400_000
/** Less time than this is not enough for another transaction and its answer. */
const reserveMs = 2_000

/** A task for a schedule: deletes rows of long ago, in transactions that keep nobody waiting. */
export function purgeRows({
  batchSize = 5000,
  maxSeconds,
  errors = databaseErrors,
  name = 'purge-rows',
  description = 'Deletes rows of long ago, in bounded transactions.',
}: PurgeRowsOptions = {}): Task<PurgeRowsInput, PurgeResult, PurgeRowsPorts> {
  return defineTask({
    name,
    description,
    idempotent: true,
    ...(maxSeconds !== undefined && { maxSeconds }),
    needs: {
      ports: { purge: 'Deletes up to a number of rows that are older than a time.' },
      permissions: [{ actions: ['rds-db:connect'], on: 'the database user, where it signs in by IAM' }],
    },
    input: z.object({ olderThanDays: z.int().check(z.gte(1)) }),
    output: z.object({ deleted: countSchema, done: z.boolean() }),
    errors,
    async run({ olderThanDays }, { purge }: PurgeRowsPorts, context) {
      const { now, signal, remainingMs, logger } = context
      const before = new Date(now() - olderThanDays * dayMs)
      let deleted = 0
      for (;;) {
        const count = await purge(before, batchSize)
        deleted += count
        const done = count < batchSize
        if (!done && !signal.aborted && remainingMs() >= reserveMs) continue
        logger.info('rows purged', { deleted, done })
        return { deleted, done }
      }
    },
  })
}
