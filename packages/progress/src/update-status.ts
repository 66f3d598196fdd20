import { NotFoundError } from '@stepwright/errors'
import { defineTask, type Task, type TaskMetrics } from '@stepwright/task'
import * as z from 'zod/mini'
import { IllegalTransitionError, JobCancelledError, StaleAttemptError } from './errors.ts'
import type { Job } from './job.ts'
import { toJobError } from './job-error.ts'
import { type JobPorts, jobView, shortText, storeErrors } from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'
import { beginJob, endJob, type Moved } from './move-job.ts'

export interface UpdateStatusInput {
  readonly processId: string
  readonly status: 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'TIMEOUT'
  /** The one that PROCESSING gave; without it, a worker that was taken over is not noticed. */
  readonly attempt?: number | undefined
  readonly result?: unknown
  /** A catcher's `{ Error, Cause }`, or `{ code, message }`. */
  readonly error?: unknown
}

/** Moves a job along, for its state machine. A repeated call is harmless. */
export const updateStatus: Task<UpdateStatusInput, JobView, JobPorts> = /* @__PURE__ */ defineTask({
  name: 'update-status',
  input: z.object({
    processId: shortText,
    status: z.enum(['PROCESSING', 'COMPLETED', 'FAILED', 'TIMEOUT']),
    attempt: z.optional(z.int()),
    result: z.optional(z.unknown()),
    error: z.optional(z.unknown()),
  }),
  output: jobView,
  errors: [NotFoundError, IllegalTransitionError, StaleAttemptError, JobCancelledError, ...storeErrors],
  async run(input, ports: JobPorts, { metrics, now }) {
    const { job, moved } = await move(input, ports)
    if (moved) measure(job, metrics)
    return toJobView(job, now())
  },
})

function move(
  { processId, status, attempt, result, error }: UpdateStatusInput,
  { jobs }: JobPorts,
): Promise<Moved> {
  if (status === 'PROCESSING') return beginJob(jobs, processId)
  if (status === 'COMPLETED') return endJob(jobs, processId, { status, attempt, result })
  return endJob(jobs, processId, { status, attempt, error: toJobError(error, status) })
}

const metricOf: Readonly<Partial<Record<Job['status'], string>>> = {
  COMPLETED: 'AsyncProcessingCompleted',
  FAILED: 'AsyncProcessingFailed',
  TIMEOUT: 'AsyncProcessingTimeout',
}

function measure({ status, createdAt, startedAt, completedAt }: Job, metrics: TaskMetrics): void {
  const name = metricOf[status]
  if (name === undefined || completedAt === null) return
  metrics.add(name, 1)
  metrics.add(
    'ProcessingDuration',
    completedAt.getTime() - (startedAt ?? createdAt).getTime(),
    'Milliseconds',
  )
}
