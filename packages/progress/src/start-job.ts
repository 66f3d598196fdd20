import { randomUUID } from 'node:crypto'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ForbiddenError, IdempotencyConflictError } from '@stepwright/errors'
import { aFunction, anObject, assertOptions } from '@stepwright/errors/options'
import { defineTask, type Task, type TaskContext, type TaskMiddleware } from '@stepwright/task'
import * as z from 'zod/mini'
import { TooManyJobsError } from './errors.ts'
import type { Job } from './job.ts'
import { insertNeeds } from './job-needs.ts'
import { toPayloadKey } from './job-payload.ts'
import { type InsertPorts, insertJob, jobView, refuseOthers, shortText } from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'
import { launchNext } from './launch-waiting.ts'
import { launchErrors, storeErrors } from './task-errors.ts'
import { uuidOf } from './uuid-of.ts'

export interface StartJobInput {
  readonly userId: string
  readonly type: string
  readonly params?: unknown
  readonly targetId?: string | undefined
  /**
   * The caller's own id, unique among all: a repeated call with it starts nothing new, and one that asks for something
   * else is refused.
   */
  readonly jobId?: string | undefined
  /** Of jobs that wait, the one with the higher goes first. @default 0 */
  readonly priority?: number | undefined
  /** Whether a job of the user's that did the same, or is at it, will do. @default false */
  readonly reuse?: boolean | undefined
}

export interface StartJobPorts extends InsertPorts {
  /** @default randomUUID */
  readonly newId?: () => string
}

const startInput: z.ZodMiniType<StartJobInput, StartJobInput> = /* @__PURE__ */ z.object({
  userId: shortText,
  type: shortText,
  params: z.optional(z.unknown()),
  targetId: z.optional(shortText),
  jobId: z.optional(shortText),
  priority: z.optional(z.int().check(z.minimum(-100), z.maximum(100))),
  reuse: z.optional(z.boolean()),
})

/** Stores a PENDING job and launches its work, now or when it is its turn. */
export const startJob: Task<StartJobInput, JobView, StartJobPorts> = /* @__PURE__ */ startJobOf(startInput)

export interface StartJobOptions<Input, Ports extends StartJobPorts> {
  /**
   * The same text for the same job: a repeated call starts nothing new, even after a crash. Without one, a job without
   * an id of the caller's own gets a new one. @default none
   */
  readonly jobKey?: (input: Input, context: TaskContext) => string | undefined
  /** Wraps the task, as `idempotent` does. @default nothing */
  readonly use?: readonly TaskMiddleware<Input, never, Ports>[]
  /** A sentence for each port that `use` needs. */
  readonly ports?: { readonly [Port in Exclude<keyof Ports, keyof StartJobPorts>]: string }
}

/** `startJob` with a schema of your own: which types there are, and what the params of each must be. */
export function startJobOf<
  Input extends StandardSchemaV1<unknown, StartJobInput>,
  Ports extends StartJobPorts = StartJobPorts,
>(
  input: Input,
  options: StartJobOptions<StandardSchemaV1.InferOutput<Input>, Ports> = {},
): Task<StandardSchemaV1.InferInput<Input>, JobView, Ports> {
  assertOptions('startJobOf', options, { jobKey: aFunction, use: anObject, ports: anObject })
  const { jobKey = () => undefined, use = [], ports: ownPorts } = options
  return defineTask<Input, typeof jobView, Ports>({
    name: 'start-job',
    description: 'Stores a pending job and starts its work.',
    needs: {
      ports: {
        ...insertNeeds.ports,
        newId: 'makes an id; by default a random UUID',
        ...ownPorts,
      } as never,
      permissions: insertNeeds.permissions,
    },
    input,
    output: jobView,
    errors: [ForbiddenError, IdempotencyConflictError, TooManyJobsError, ...launchErrors, ...storeErrors],
    use,
    async run(given, ports, context) {
      const { jobs, newId = randomUUID } = ports
      const asked: StartJobInput = given
      const { userId, type, params = null, targetId = null, priority = 0, reuse = false } = asked
      const key = jobKey(given, context)
      const ownId = key === undefined ? asked.jobId : uuidOf(`@stepwright/progress job of ${key}`)
      const payloadKey = toPayloadKey({ type, params, targetId })
      if (reuse) {
        const same = await jobs.findReusable(userId, payloadKey)
        if (same) return toJobView(same, context.now())
      }
      const { job, created } = await insertJob(ports, {
        id: ownId ?? newId(),
        userId,
        type,
        params,
        targetId,
        retryCount: 0,
        priority,
        payloadKey,
        launched: ports.capacity === undefined,
      })
      refuseOthers(job, userId, ports)
      refuseOtherWork(job, payloadKey)
      if (created) context.metrics.add('AsyncProcessingStarted', 1)
      try {
        await launchNext(ports, job)
      } catch (error) {
        // Under an id of its own the caller comes back for this job; with a capacity, others start it. Else nobody does.
        if (ownId === undefined && ports.capacity === undefined) await giveUp(job)
        if (ports.capacity === undefined) throw error
        context.logger.warn('jobs were not launched, and will be later', { reason: String(error) })
      }
      return toJobView(job, context.now())

      async function giveUp({ id }: Job): Promise<void> {
        const error = { code: 'LAUNCH_FAILED', message: 'the work could not be started' }
        try {
          const { applied } = await jobs.end(id, { status: 'FAILED', attempt: 0, error })
          if (applied) context.metrics.add('AsyncProcessingFailed', 1)
        } catch (reason) {
          context.logger.error('a job that could not be launched is still pending', { id, reason })
        }
      }
    },
  })
}

function refuseOtherWork(job: Job, payloadKey: string): void {
  if (job.payloadKey === null || job.payloadKey === payloadKey) return
  throw new IdempotencyConflictError('the id was used before, for a job with another content')
}
