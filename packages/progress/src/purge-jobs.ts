import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { jobNeeds } from './job-needs.ts'
import type { JobPorts } from './job-task.ts'
import { storeErrors } from './task-errors.ts'

export interface PurgeJobsInput {
  /** @default 90 */
  readonly retentionDays?: number | undefined
  /** How many one statement deletes. @default 1000 */
  readonly batchSize?: number | undefined
}

const dayMs = 86_400_000

/** Run it on a schedule: deletes ended jobs after their retention, as far as the time allows. */
export const purgeJobs: Task<PurgeJobsInput, { readonly deleted: number }, JobPorts> =
  /* @__PURE__ */ defineTask({
    name: 'purge-jobs',
    description: 'Deletes jobs that ended and are older than their retention.',
    idempotent: true,
    needs: jobNeeds,
    input: z.object({
      retentionDays: z._default(z.number().check(z.positive()), 90),
      batchSize: z._default(z.int().check(z.positive()), 1000),
    }),
    output: z.object({ deleted: z.int() }),
    errors: storeErrors,
    async run({ retentionDays, batchSize }, { jobs }: JobPorts, { signal }) {
      let deleted = 0
      for (let count = batchSize; count === batchSize && !signal.aborted; deleted += count) {
        count = await jobs.purge(retentionDays * dayMs, batchSize)
      }
      return { deleted }
    },
  })
