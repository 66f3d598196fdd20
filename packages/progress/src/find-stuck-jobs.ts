import * as z from 'zod/mini'
import type { Job } from './job.ts'
import type { JobStore, StaleQuery } from './job-store.ts'
import { shortText } from './job-task.ts'

/** When a job counts as stuck. */
export interface StuckJobsInput {
  readonly type?: string | undefined
  /** A worker that gave no sign of life for this long is dead. @default 120 */
  readonly silentForSeconds?: number | undefined
  /** PROCESSING, or launched, for this long is too long, alive or not. A job that waits for a worker is not stuck. @default 1800 */
  readonly inStatusForSeconds?: number | undefined
  /** @default 100 */
  readonly limit?: number | undefined
}

export interface StuckJobsQuery {
  readonly type?: string | undefined
  readonly silentForSeconds: number
  readonly inStatusForSeconds: number
  readonly limit: number
}

const seconds = /* @__PURE__ */ z.number().check(z.nonnegative())

export const stuckJobsSchema: z.ZodMiniType<StuckJobsQuery, StuckJobsInput> = /* @__PURE__ */ z.object({
  type: z.optional(shortText),
  silentForSeconds: z._default(seconds, 120),
  inStatusForSeconds: z._default(seconds, 1800),
  limit: z._default(z.int().check(z.positive()), 100),
})

export interface StuckJob {
  readonly job: Job
  readonly isSilent: boolean
  /** Too long in its status, alive or not. */
  readonly isOverdue: boolean
}

/** Each once: those whose workers are silent or have not begun, then those that take too long. */
export async function findStuckJobs(
  jobs: Pick<JobStore, 'findStale'>,
  { type, limit, silentForSeconds, inStatusForSeconds }: StuckJobsQuery,
): Promise<readonly StuckJob[]> {
  const silentForMs = silentForSeconds * 1000
  const inStatusForMs = inStatusForSeconds * 1000
  const queries: StaleQuery[] = [
    { status: 'PROCESSING', silentForMs, type, limit },
    { status: 'PENDING', silentForMs, launched: true, type, limit },
    { status: 'PROCESSING', inStatusForMs, type, limit },
    // One that waits for a worker waits as long as it takes. A launch is a sign of life.
    { status: 'PENDING', silentForMs: inStatusForMs, launched: true, type, limit },
  ]
  const found = await Promise.all(queries.map(query => jobs.findStale(query)))
  const silent = found.slice(0, 2).flat()
  const overdue = found.slice(2).flat()
  const silentIds = new Set(silent.map(({ id }) => id))
  const overdueIds = new Set(overdue.map(({ id }) => id))
  return [...silent, ...overdue.filter(({ id }) => !silentIds.has(id))].map(job => ({
    job,
    isSilent: silentIds.has(job.id),
    isOverdue: overdueIds.has(job.id),
  }))
}
