import { toTaskError } from '@stepwright/errors'
import { classifyAws } from '@stepwright/errors/aws'
import { classifyPostgres } from '@stepwright/errors/postgres'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { findStuckJobs, type StuckJobsInput, stuckJobsSchema } from './find-stuck-jobs.ts'
import type { Job, JobError } from './job.ts'
import { jobNeeds } from './job-needs.ts'
import type { JobPorts } from './job-task.ts'
import { measureEnd } from './measure-end.ts'
import { storeErrors } from './task-errors.ts'

/** What the execution of a stuck job came to. */
export type StuckOutcome =
  /** It still works on the job. */
  'RUNNING' | { readonly status: 'FAILED' | 'TIMEOUT'; readonly error?: JobError | undefined }

export interface EndStuckJobsPorts extends JobPorts {
  /** Asks the execution of a job what became of it; undefined if it does not know. @default nobody is asked */
  readonly outcomeOf?: (job: Job) => Promise<StuckOutcome | undefined>
  /** What the owner of a job hears that ends as TIMEOUT. @default in English */
  readonly timeoutError?: JobError
}

export interface EndStuckJobsOutput {
  readonly ended: readonly EndedJob[]
  /** How many of the stuck ones still run, or gave a sign of life meanwhile. */
  readonly spared: number
}

export interface EndedJob {
  readonly jobId: string
  readonly status: 'FAILED' | 'TIMEOUT'
}

const noSignOfLife: StuckOutcome = {
  status: 'TIMEOUT',
  error: { code: 'TIMEOUT_ERROR', message: 'the processing gave no sign of life' },
}
const tooLong: StuckOutcome = {
  status: 'TIMEOUT',
  error: { code: 'TIMEOUT_ERROR', message: 'the processing took longer than its limit' },
}

/** Run it on a schedule: ends jobs that nobody else will end. A worker that is alive after all keeps its job. */
export const endStuckJobs: Task<StuckJobsInput, EndStuckJobsOutput, EndStuckJobsPorts> =
  /* @__PURE__ */ defineTask({
    name: 'end-stuck-jobs',
    description: 'Ends jobs whose workers are silent, and jobs that take too long.',
    idempotent: true,
    needs: {
      ports: {
        ...jobNeeds.ports,
        outcomeOf: 'asks the execution of a job what became of it; optional',
        timeoutError: 'what the owner of a job hears that took too long; optional',
      },
      permissions: [
        ...jobNeeds.permissions,
        {
          actions: ['states:DescribeExecution'],
          on: 'the executions of the jobs, where outcomeOf asks them',
          optional: true,
        },
      ],
    },
    input: stuckJobsSchema,
    output: z.object({
      ended: z.array(z.object({ jobId: z.string(), status: z.enum(['FAILED', 'TIMEOUT']) })),
      spared: z.int(),
    }),
    errors: storeErrors,
    async run(query, { jobs, outcomeOf, timeoutError }: EndStuckJobsPorts, { metrics, logger, signal }) {
      const ended: EndedJob[] = []
      let spared = 0
      for (const { job, isSilent, isOverdue } of await findStuckJobs(jobs, query)) {
        signal.throwIfAborted()
        const known = await outcomeOf?.(job).catch((reason): StuckOutcome => {
          // Or one that can never be asked would keep all others from being ended.
          const { name } = toTaskError(reason, classifyAws, classifyPostgres)
          logger.warn('the execution of a stuck job could not be asked', { jobId: job.id, reason: name })
          return 'RUNNING'
        })
        const isStarting = job.status === 'PENDING' && known === undefined
        const outcome = known ?? (isSilent && !isStarting ? noSignOfLife : tooLong)
        // What takes too long is ended all the same: its worker is told at its next heartbeat. Until then, one that was
        // not even started will be.
        if (!isOverdue && (outcome === 'RUNNING' || isStarting)) {
          spared += 1
          continue
        }
        const { status, error } = outcome === 'RUNNING' ? tooLong : outcome
        const { applied, job: now } = await jobs.end(job.id, {
          status,
          attempt: job.attempt,
          silentForMs: isSilent && !isOverdue ? query.silentForSeconds * 1000 : 0,
          error: (status === 'TIMEOUT' ? timeoutError : undefined) ?? error ?? null,
        })
        if (!applied || now === undefined) {
          spared += 1
          continue
        }
        measureEnd(now, metrics)
        logger.warn('a stuck job was ended', { jobId: job.id, status })
        ended.push({ jobId: job.id, status })
      }
      return { ended, spared }
    },
  })
