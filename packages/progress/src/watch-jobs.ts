import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { findStuckJobs, type StuckJobsInput, stuckJobsSchema } from './find-stuck-jobs.ts'
import type { Job, JobStatus } from './job.ts'
import { jobNeeds } from './job-needs.ts'
import type { JobPorts } from './job-task.ts'
import { storeErrors } from './task-errors.ts'

export interface WatchJobsOutput {
  readonly queueDepth: number
  readonly stale: readonly StaleJob[]
}

export interface StaleJob {
  readonly jobId: string
  readonly type: string
  readonly status: JobStatus
  readonly attempt: number
  readonly heartbeatAgeSeconds: number
  readonly inStatusSeconds: number
}

/** Run it on a schedule: measures QueueDepth and StaleJobs, for alarms. */
export const watchJobs: Task<StuckJobsInput, WatchJobsOutput, JobPorts> = /* @__PURE__ */ defineTask({
  name: 'watch-jobs',
  description: 'Measures how many jobs wait, and finds those that are stuck.',
  idempotent: true,
  needs: jobNeeds,
  input: stuckJobsSchema,
  output: z.object({
    queueDepth: z.int(),
    stale: z.array(
      z.object({
        jobId: z.string(),
        type: z.string(),
        status: z.enum(['PENDING', 'PROCESSING']),
        attempt: z.int(),
        heartbeatAgeSeconds: z.number(),
        inStatusSeconds: z.number(),
      }),
    ),
  }),
  errors: storeErrors,
  async run(query, { jobs }: JobPorts, { metrics, logger, now }) {
    const stale = (await findStuckJobs(jobs, query)).map(({ job }) => toStaleJob(job, now()))
    const queueDepth = await jobs.count('PENDING', query.type)
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
    jobId: id,
    type,
    status: status as 'PENDING' | 'PROCESSING',
    attempt,
    heartbeatAgeSeconds: (nowMs - heartbeatAt.getTime()) / 1000,
    inStatusSeconds: (nowMs - enteredAt.getTime()) / 1000,
  }
}
