import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { ChunkLedger, PurgeResult } from '../chunk-ledger.ts'
import { countSchema, jobIdSchema } from './schemas.ts'
import { databaseErrors } from './task-errors.ts'

export interface PurgeLedgerInput {
  /** Whole days, at least 1: a job that may still be delivered again must not be forgotten. */
  readonly olderThanDays: number
  /** Of this job only. @default all jobs */
  readonly jobId?: string | undefined
}

export interface PurgeLedgerPorts {
  readonly ledger: Pick<ChunkLedger, 'purge'>
}

export interface PurgeLedgerOptions {
  /** A call is stopped after so long. The next one goes on where it was. */
  readonly maxSeconds?: number
  /** @default 'purge-ledger' */
  readonly name?: string
}

const purgeLedgerInput = z.object({
  olderThanDays: z.int().check(z.gte(1)),
  jobId: z.optional(jobIdSchema),
})
const purgeLedgerOutput = z.object({ deleted: countSchema, done: z.boolean() })
const dayMs = 86_400_000

/** A task for a schedule: forgets the chunks of jobs that are long over. */
export function purgeLedger({
  maxSeconds,
  name = 'purge-ledger',
}: PurgeLedgerOptions = {}): Task<PurgeLedgerInput, PurgeResult, PurgeLedgerPorts> {
  return defineTask({
    name,
    description: 'Deletes the records of chunks that were written long ago, in bounded transactions.',
    idempotent: true,
    ...(maxSeconds !== undefined && { maxSeconds }),
    needs: {
      ports: { ledger: 'The ledger to be shortened.' },
      permissions: [{ actions: ['rds-db:connect'], on: 'the database user, where it signs in by IAM' }],
    },
    input: purgeLedgerInput,
    output: purgeLedgerOutput,
    errors: databaseErrors,
    async run({ olderThanDays, jobId }, { ledger }: PurgeLedgerPorts, context) {
      const { signal, remainingMs } = context
      const completedBefore = new Date(context.now() - olderThanDays * dayMs)
      const result = await ledger.purge({
        completedBefore,
        signal,
        remainingMs,
        ...(jobId !== undefined && { jobId }),
      })
      context.logger.info('ledger purged', { ...result })
      return result
    },
  })
}
