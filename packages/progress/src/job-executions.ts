import { anObject, assertOptions, aText } from '@stepwright/errors/options'
import type { JobStopper } from './cancel-job.ts'
import type { StuckOutcome } from './end-stuck-jobs.ts'
import type { Job, JobError } from './job.ts'
import type { JobLauncher } from './job-task.ts'

/** The executions of the state machine that works on jobs, by their names. */
export interface JobWorkflow {
  /** A name is taken once: a second start of the same name must start nothing. */
  start(request: { readonly name: string; readonly input: unknown }): Promise<unknown>
  /** An execution that has ended, or never was, is left as it is. */
  stop(request: { readonly name: string; readonly error?: string }): Promise<void>
  /** Undefined if there is no such execution. */
  describe(name: string): Promise<JobExecution | undefined>
}

export interface JobExecution {
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED' | 'PENDING_REDRIVE'
  /** Of one that failed. */
  readonly error?: string | undefined
}

/** Starts the execution of a job, with the job's id as its name and `{ jobId }` as its input. */
export function createJobLauncher(workflow: Pick<JobWorkflow, 'start'>): JobLauncher {
  return {
    async launch({ id }) {
      await workflow.start({ name: id, input: { jobId: id } })
    },
  }
}

/** Stops the execution of a job. */
export function createJobStopper(workflow: Pick<JobWorkflow, 'stop'>): JobStopper {
  return { stop: ({ id }) => workflow.stop({ name: id, error: 'JobCancelledError' }) }
}

export interface JobOutcomesOptions {
  /** What the owner of a job is told whose execution failed. @default 'the processing failed' */
  readonly failedMessage?: string
  /** What the owner of a job is told whose execution took too long. @default in English */
  readonly timeoutError?: JobError
}

/** Reads from the execution of a job how it ended; undefined if it was not started. */
export function createJobOutcomes(
  workflow: Pick<JobWorkflow, 'describe'>,
  options: JobOutcomesOptions = {},
): (job: Job) => Promise<StuckOutcome | undefined> {
  assertOptions('createJobOutcomes', options, { failedMessage: aText, timeoutError: anObject })
  const { failedMessage = 'the processing failed', timeoutError } = options
  return async ({ id }) => {
    const execution = await workflow.describe(id)
    if (execution === undefined) return undefined
    const { status, error: code = 'UNKNOWN_ERROR' } = execution
    if (status === 'RUNNING' || status === 'PENDING_REDRIVE') return 'RUNNING'
    if (status === 'TIMED_OUT') return { status: 'TIMEOUT', error: timeoutError }
    // Also one that succeeded: it has left its job open, and nobody else will end it.
    return { status: 'FAILED', error: { code, message: failedMessage } }
  }
}
