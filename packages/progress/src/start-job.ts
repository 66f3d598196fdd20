import { randomUUID } from 'node:crypto'
import { ForbiddenError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { launchNeeds } from './job-needs.ts'
import { jobView, type LaunchPorts, refuseOthers, shortText } from './job-task.ts'
import { type JobView, toJobView } from './job-view.ts'
import { launchErrors, storeErrors } from './task-errors.ts'

export interface StartJobInput {
  readonly userId: string
  readonly type: string
  readonly params?: unknown
  readonly targetId?: string | undefined
  /** The caller's own id, unique among all: a repeated call with it starts nothing new. */
  readonly processId?: string | undefined
}

export interface StartJobPorts extends LaunchPorts {
  /** @default randomUUID */
  readonly newId?: () => string
}

/** Stores a PENDING job and launches its work. */
export const startJob: Task<StartJobInput, JobView, StartJobPorts> = /* @__PURE__ */ defineTask({
  name: 'start-job',
  description: 'Stores a pending job and starts its work.',
  needs: {
    ports: { ...launchNeeds.ports, newId: 'makes an id; by default a random UUID' },
    permissions: launchNeeds.permissions,
  },
  input: z.object({
    userId: shortText,
    type: shortText,
    params: z.optional(z.unknown()),
    targetId: z.optional(shortText),
    processId: z.optional(shortText),
  }),
  output: jobView,
  errors: [ForbiddenError, ...launchErrors, ...storeErrors],
  async run({ userId, type, params, targetId, processId }, ports: StartJobPorts, context) {
    const { jobs, launcher, newId = randomUUID } = ports
    const { job, created } = await jobs.insert({
      id: processId ?? newId(),
      userId,
      type,
      params: params ?? null,
      targetId: targetId ?? null,
      retryCount: 0,
    })
    refuseOthers(job, userId)
    if (created) context.metrics.add('AsyncProcessingStarted', 1)
    if (job.status === 'PENDING') {
      try {
        await launcher.launch(job)
      } catch (error) {
        // Under an id of its own the caller comes back for this job; under ours nobody ever will.
        if (processId === undefined) await giveUp()
        throw error
      }
    }
    return toJobView(job, context.now())

    async function giveUp(): Promise<void> {
      context.metrics.add('AsyncProcessingFailed', 1)
      const error = { code: 'LAUNCH_FAILED', message: 'the work could not be started' }
      await jobs.end(job.id, { status: 'FAILED', attempt: 0, error }).catch(reason => {
        context.logger.error('a job that could not be launched is still pending', { id: job.id, reason })
      })
    }
  },
})
