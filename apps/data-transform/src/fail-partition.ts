import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { partitionName } from './dataset.ts'
import { serviceErrors } from './errors.ts'
import { describeFailure, stateFailure } from './failure.ts'
import { type DayResult, dayResult, noStats } from './outputs.ts'
import type { PartitionLock } from './partition-lock.ts'
import { dayInput, partitionOf } from './plan.ts'

export interface FailPorts {
  readonly lock: PartitionLock
}

/** Where every state of a day leads that fails: says what went wrong, and lets others have the partition. */
export const failPartition = defineTask({
  name: 'fail-partition',
  description: 'Ends the lock of a partition whose job failed, and says why it did.',
  needs: {
    ports: {
      lock: 'One execution at a time for each partition.',
    },
    permissions: [{ actions: ['dynamodb:DeleteItem'], on: 'the table of locks' }],
  },
  idempotent: true,
  input: z.object({ ...dayInput.shape, error: stateFailure }),
  output: dayResult,
  errors: serviceErrors,
  async run(input, { lock }: FailPorts, { logger, metrics }): Promise<DayResult> {
    const { ds, executionId, plan, rewrite } = input
    const partition = partitionOf(input)
    await lock.release(partition, executionId)
    const { code, message } = describeFailure(input.error)
    if (code === 'IDEMPOTENT_SKIP' && !plan.reprocess && !rewrite) {
      logger.info('partition was taken over', { ds })
      return {
        ok: true,
        ds,
        rewrite,
        published: false,
        proceed: false,
        stats: noStats,
        glueRunIds: [],
        warnings: [],
      }
    }
    logger.error('partition failed', { ds, code, state: input.error.state })
    metrics.add('PartitionsFailed', 1)
    return { ok: false, ds, rewrite, error: { code, message, partition: partitionName(partition) } }
  },
})
