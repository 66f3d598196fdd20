import { type Execution, type Executions, executionArnOf } from '@stepwright/idempotency'
import type { Job, JobError } from '@stepwright/progress'
import type { JobLauncher, JobStopper, StuckOutcome } from '@stepwright/progress/tasks'
import { texts } from './texts.ts'

/** The executions of jobs: each has its job's id for its name, so that it is started once. */
export interface JobExecutions {
  readonly launcher: JobLauncher
  readonly stopper: JobStopper
  readonly outcomeOf: (job: Job) => Promise<StuckOutcome | undefined>
}

export function createJobExecutions(executions: Executions, stateMachineArn: string): JobExecutions {
  const arnOf = ({ id }: Job) => executionArnOf(stateMachineArn, id)
  return {
    launcher: {
      async launch({ id }) {
        await executions.start({ stateMachineArn, name: id, input: { processId: id } })
      },
    },
    stopper: {
      async stop(job) {
        await executions.stop({ executionArn: arnOf(job), error: 'JobCancelledError' })
      },
    },
    async outcomeOf(job) {
      const execution = await executions.describe(arnOf(job))
      return execution && toOutcome(execution)
    },
  }
}

export const timeoutError: JobError = { code: 'TIMEOUT_ERROR', message: texts.timeout }

function toOutcome({ status, error = 'UNKNOWN_ERROR' }: Execution): StuckOutcome {
  if (status === 'RUNNING' || status === 'PENDING_REDRIVE') return 'RUNNING'
  if (status === 'TIMED_OUT') return { status: 'TIMEOUT', error: timeoutError }
  // One that succeeded has left its job behind nevertheless: nobody else will end it.
  return { status: 'FAILED', error: { code: error, message: texts.failed } }
}
