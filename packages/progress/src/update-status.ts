import { NotFoundError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { IllegalTransitionError, JobCancelledError, StaleAttemptError } from './errors.ts'
import type { Job } from './job.ts'
import { toJobError } from './job-error.ts'
import { jobNeeds } from './job-needs.ts'
import { type JobPorts, jobView, shortText } from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'
import { measureEnd } from './measure-end.ts'
import { beginJob, endJob, type Moved, takeOverAfterMs } from './move-job.ts'
import { storeErrors } from './task-errors.ts'

export interface UpdateStatusInput {
  readonly jobId: string
  readonly status: 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'TIMEOUT'
  /** The one that PROCESSING gave; without it, a worker that was taken over is not noticed. */
  readonly attempt?: number | undefined
  /**
   * For PROCESSING: how long the job's worker must have been silent for a new attempt to begin. Until then a call that
   * comes late or twice gets the current one. @default 60
   */
  readonly takeOverAfterSeconds?: number | undefined
  /** For PROCESSING: whether a new attempt goes on from the progress of the one before. @default false */
  readonly keepsProgress?: boolean | undefined
  /** @default what the port `resultOf` makes, or null */
  readonly result?: unknown
  /** A catcher's `{ Error, Cause }`, or `{ code, message }`. */
  readonly error?: unknown
}

export interface UpdateStatusPorts extends JobPorts {
  /**
   * Makes the result of a job that is COMPLETED, e.g. of its parts. It does not pass through the state machine: the
   * answer has null in its place.
   */
  readonly resultOf?: (job: Job) => Promise<unknown>
}

/** Moves a job along, for its state machine. A repeated call is harmless. */
export const updateStatus: Task<UpdateStatusInput, JobView, UpdateStatusPorts> = /* @__PURE__ */ defineTask({
  name: 'update-status',
  description: 'Moves a job along for its state machine: PROCESSING, then how it ended.',
  idempotent: true,
  needs: {
    ports: { ...jobNeeds.ports, resultOf: 'makes the result of a job that is done; optional' },
    permissions: jobNeeds.permissions,
  },
  input: z.object({
    jobId: shortText,
    status: z.enum(['PROCESSING', 'COMPLETED', 'FAILED', 'TIMEOUT']),
    attempt: z.optional(z.int()),
    takeOverAfterSeconds: z.optional(z.number().check(z.nonnegative())),
    keepsProgress: z.optional(z.boolean()),
    result: z.optional(z.unknown()),
    error: z.optional(z.unknown()),
  }),
  output: jobView,
  errors: [NotFoundError, IllegalTransitionError, StaleAttemptError, JobCancelledError, ...storeErrors],
  async run(input, ports: UpdateStatusPorts, { metrics, now }) {
    const { job, moved } = await move(input, ports)
    if (moved) measureEnd(job, metrics)
    const view = toJobView(job, now())
    // It may be more than a state can carry, and the job has been completed: the answer must not fail.
    return input.result === undefined && ports.resultOf ? { ...view, result: null } : view
  },
})

async function move(input: UpdateStatusInput, { jobs, resultOf }: UpdateStatusPorts): Promise<Moved> {
  const { jobId, status, attempt, takeOverAfterSeconds, keepsProgress, error } = input
  if (status === 'PROCESSING') {
    const silentForMs = takeOverAfterSeconds === undefined ? takeOverAfterMs : takeOverAfterSeconds * 1000
    return beginJob(jobs, jobId, { silentForMs, keepsProgress })
  }
  if (status === 'COMPLETED') {
    const job = input.result === undefined && resultOf ? await jobs.find(jobId) : undefined
    const result = job && resultOf ? await resultOf(job) : input.result
    return endJob(jobs, jobId, { status, attempt, result })
  }
  return endJob(jobs, jobId, { status, attempt, error: toJobError(error, status) })
}
