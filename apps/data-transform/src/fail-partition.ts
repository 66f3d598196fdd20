import type { ObjectStore } from '@stepwright/object-store'
import { clearRuns } from '@stepwright/partitions'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { partitionName } from './dataset.ts'
import { serviceErrors } from './errors.ts'
import { describeFailure, jobRunOf, stateFailure } from './failure.ts'
import { findJobRuns, runPrefix } from './job.ts'
import { readManifest, statsOf } from './manifest.ts'
import { type DayResult, dayResult, noStats } from './outputs.ts'
import type { DayLock } from './partition-lock.ts'
import { dayInput, partitionOf } from './plan.ts'

export interface FailPorts {
  readonly curated: Pick<ObjectStore, 'get' | 'list' | 'deleteMany'>
  readonly lock: DayLock
}

/** Where every state of a day leads that fails: says what went wrong, and lets others have the partition. */
export const failPartition = defineTask({
  name: 'fail-partition',
  description:
    'Ends the lock of a partition whose job failed, deletes what it wrote, and says why it failed.',
  needs: {
    ports: {
      curated: 'The bucket of what was transformed.',
      lock: 'One execution at a time for each partition.',
    },
    permissions: [
      {
        actions: ['s3:GetObject', 's3:ListBucket', 's3:DeleteObject'],
        on: 'the bucket of what was transformed',
      },
      { actions: ['dynamodb:DeleteItem'], on: 'the table of locks' },
    ],
  },
  idempotent: true,
  input: z.object({ ...dayInput.shape, error: stateFailure }),
  output: dayResult,
  errors: serviceErrors,
  async run(input, { curated, lock }: FailPorts, { logger, metrics, signal }): Promise<DayResult> {
    const { ds, executionId, plan, rewrite } = input
    const partition = partitionOf(input)
    const { code, message } = describeFailure(input.error)
    const current = (await readManifest(curated, partition, signal))?.value
    const run = runPrefix(partition, executionId, rewrite)
    const failed = jobRunOf(input.error)
    const glueRunIds = [
      ...new Set([...(await findJobRuns(curated, run, signal)), ...(failed === undefined ? [] : [failed])]),
    ]
    // What was rejected is for nobody to read. What was published stays, whatever failed after that.
    if (!current?.prefix.startsWith(run)) await clearRuns(curated, run, [], { signal })
    await lock.release(partition, executionId)
    if (code === 'IDEMPOTENT_SKIP' && !plan.reprocess && !rewrite) {
      logger.info('partition was taken over', { ds })
      const stats = current ? statsOf(current) : noStats
      const published = current !== undefined
      return { ok: true, ds, rewrite, published, proceed: false, stats, glueRunIds, warnings: [] }
    }
    logger.error('partition failed', { ds, code, state: input.error.state })
    metrics.add('PartitionsFailed', 1)
    return {
      ok: false,
      ds,
      rewrite,
      glueRunIds,
      error: { code, message, partition: partitionName(partition) },
    }
  },
})
