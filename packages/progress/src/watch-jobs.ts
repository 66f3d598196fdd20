import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Job, JobStatus } from './job.ts'
import type { StaleQuery } from './job-store.ts'
import { type JobPorts, shortText, storeErrors } from './job-task.ts'

export interface WatchJobsInput {
  readonly type?: string | undefined
  /** A worker that gave no sign of life for this long is dead. @default 120 */
  readonly silentForSeconds?: number | undefined
  /** PENDING or PROCESSING for this long is too long, alive or not. @default 1800 */
  readonly inStatusForSeconds?: number | undefined
  /** @default 100 */
  readonly limit?: number | undefined
}

export interface WatchJobsOutput {
  readonly queueDepth: number
  readonly stale: readonly StaleJob[]
}

export interface StaleJob {
  readonly processId: string
  readonly type: string
  readonly status: JobStatus
  readonly attempt: number
  readonly heartbeatAgeSeconds: number
  readonly inStatusSeconds: number
}

const seconds = /* @__PURE__ */ z.number().check(z.nonnegative())

/** Run it on a schedule: measures QueueDepth and StaleJobs, for alarms. */
export const watchJobs: Task<WatchJobsInput, WatchJobsOutput, JobPorts> = /* @__PURE__ */ defineTask({
  name: 'watch-jobs',
  input: z.object({
    type: z.optional(shortText),
    silentForSeconds: z._default(seconds, 120),
    inStatusForSeconds: z._default(seconds, 1800),
    limit: z._default(z.int().check(z.positive()), 100),
  }),
  output: z.object({
    queueDepth: z.int(),
    stale: z.array(
      z.object({
        processId: z.string(),
        type: z.string(),
        status: z.enum(['PENDING', 'PROCESSING']),
        attempt: z.int(),
        heartbeatAgeSeconds: z.number(),
        inStatusSeconds: z.number(),
      }),
    ),
  }),
  errors: storeErrors,
  async run(input, { jobs }: JobPorts, { metrics, logger, now }) {
    const { type, limit } = input
    const inStatusForMs = input.inStatusForSeconds * 1000
    const queries: StaleQuery[] = [
      { status: 'PROCESSING', silentForMs: input.silentForSeconds * 1000, type, limit },
      { status: 'PROCESSING', inStatusForMs, type, limit },
      { status: 'PENDING', inStatusForMs, type, limit },
    ]
    const found = await Promise.all(queries.map(query => jobs.findStale(query)))
    const stale = [...new Map(found.flat().map(job => [job.id, toStaleJob(job, now())])).values()]
    const queueDepth = await jobs.count('PENDING', type)
    metrics.add('QueueDepth', queueDepth)
    metrics.add('StaleJobs', stale.length)
    if (stale.length > 0) logger.error('jobs are stuck', { stale })
    return { queueDepth, stale }
  },
})

function toStaleJob(
  { id, type, status, attempt, heartbeatAt, enteredAt }: Job,
  nowMs: number,
): StaleJob & {
  status: 'PENDING' | 'PROCESSING'
} {
  return {
    processId: id,
    type,
    status: status as 'PENDING' | 'PROCESSING',
    attempt,
    heartbeatAgeSeconds: (nowMs - heartbeatAt.getTime()) / 1000,
    inStatusSeconds: (nowMs - enteredAt.getTime()) / 1000,
  }
}
