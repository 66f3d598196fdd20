import { NotFoundError, type TaskErrorClass } from '@stepwright/errors'
import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import { defineTask, type Task, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import { IllegalTransitionError, JobCancelledError, StaleAttemptError, TokenGoneError } from './errors.ts'
import { jobNeeds } from './job-needs.ts'
import { type JobPorts, shortText } from './job-task.ts'
import { type JobWork, performJob } from './perform-job.ts'
import type { TaskCallback } from './task-callback.ts'
import { launchErrors, storeErrors } from './task-errors.ts'

export interface WorkInput {
  readonly jobId: string
  /** The one that PROCESSING gave. */
  readonly attempt: number
  readonly taskToken: string
}

export interface WorkOutput {
  readonly jobId: string
  /** How many parts the result has. */
  readonly parts: number
}

export interface WorkPorts extends JobPorts {
  readonly callback: TaskCallback
  /** @default setTimeout */
  readonly sleep?: Sleep
}

export interface WorkOptions<Ports extends object> {
  readonly name: string
  readonly description: string
  /** What the work may throw besides. */
  readonly errors: readonly TaskErrorClass[]
  /** A sign of life this often, to the state machine. The store gets one every two seconds. @default 10_000 */
  readonly heartbeatMs?: number
  /** A sentence for each port of the work. */
  readonly ports: { readonly [Port in keyof Ports]: string }
  readonly work: (work: JobWork, ports: Ports, context: TaskContext) => Promise<unknown>
}

/**
 * A worker for a state with `.waitForTaskToken`: works on a job, keeps its parts, gives signs of life to the store and
 * to the state machine, and stops when the job was cancelled or taken over, or when nobody waits for it any more.
 */
export function workOnJob<Ports extends object>({
  name,
  description,
  errors,
  heartbeatMs = 10_000,
  ports: ownPorts,
  work,
}: WorkOptions<Ports>): Task<WorkInput, WorkOutput, WorkPorts & Ports> {
  return defineTask<typeof workInput, typeof workOutput, WorkPorts & Ports>({
    name,
    description,
    idempotent: true,
    needs: {
      ports: {
        ...jobNeeds.ports,
        callback: 'answers the state that waits for a task token',
        sleep: 'waits between signs of life; optional',
        ...ownPorts,
      } as never,
      permissions: [
        ...jobNeeds.permissions,
        {
          actions: ['states:SendTaskSuccess', 'states:SendTaskHeartbeat'],
          on: 'the state machine that waits for the work',
        },
      ],
    },
    input: workInput,
    output: workOutput,
    errors: [...errors, ...workErrors],
    async run({ jobId, attempt, taskToken }, ports, context) {
      const { jobs, callback, sleep = sleepFor } = ports
      const job = await jobs.find(jobId)
      if (job === undefined) throw new NotFoundError(`there is no job ${jobId}`)
      const over = new AbortController()
      const gone = new AbortController()
      const signal = AbortSignal.any([context.signal, gone.signal])
      const beating = keepHearing(callback, taskToken, gone, () => sleep(heartbeatMs, over.signal))
      let parts: ReadonlyMap<number, unknown>
      try {
        await jobs.occupy(jobId, attempt, Math.min(context.remainingMs(), maxWorkerMs))
        const performed = { jobs, job, attempt, signal, sleep, now: context.now }
        const done = await performJob(performed, one => work(one, ports, { ...context, signal: one.signal }))
        parts = done.parts
      } catch (error) {
        gone.signal.throwIfAborted()
        throw error
      } finally {
        over.abort()
        await beating
        await jobs.release(jobId, attempt).catch(reason => {
          context.logger.warn('a worker did not free its slot, which it will with its time', {
            jobId,
            reason: String(reason),
          })
        })
      }
      const output = { jobId, parts: parts.size }
      if (!(await callback.succeed(taskToken, output))) throw tokenGone()
      return output
    },
  })
}

/** As long as a Lambda may run. */
const maxWorkerMs = 900_000

const workInput: z.ZodMiniType<WorkInput, WorkInput> = /* @__PURE__ */ z.object({
  jobId: shortText,
  attempt: z.int(),
  taskToken: z.string(),
})

const workOutput: z.ZodMiniType<WorkOutput, WorkOutput> = /* @__PURE__ */ z.object({
  jobId: z.string(),
  parts: z.int(),
})

const workErrors: readonly TaskErrorClass[] = [
  NotFoundError,
  JobCancelledError,
  StaleAttemptError,
  IllegalTransitionError,
  TokenGoneError,
  ...storeErrors,
  ...launchErrors,
]

function tokenGone(): TokenGoneError {
  return new TokenGoneError('nobody waits for this work any more: it was stopped, or its time was up')
}

/** A sign of life that does not get through is made up for by the next one. */
async function keepHearing(
  callback: TaskCallback,
  taskToken: string,
  gone: AbortController,
  pause: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const heard = await callback.heartbeat(taskToken).catch(() => true)
    if (!heard) return gone.abort(tokenGone())
    try {
      await pause()
    } catch {
      return
    }
  }
}
