import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Job } from './job.ts'
import { launchNeeds } from './job-needs.ts'
import type { QueueRules } from './job-store.ts'
import type { CapacityPorts } from './job-task.ts'
import { launchErrors, storeErrors } from './task-errors.ts'

/** A launch that took a minute counts as lost, and is done again; so much waiting is worth one more of priority. */
export const queueRules: QueueRules = { relaunchAfterMs: 60_000, agingMs: 60_000 }

/** Cancelled work stops within two seconds: for its slot it is worth waiting, instead of until the next minute. */
const maxLingerMs = 6_000
const lingerStepMs = 500

/**
 * Launches what may run now: that job where there is no capacity to keep to, else whoever's turn it is. One that
 * cannot be launched stays PENDING, and is launched by a later call.
 */
export async function launchNext(
  { jobs, launcher, capacity }: CapacityPorts,
  job: Job | undefined,
): Promise<readonly Job[]> {
  if (capacity === undefined) {
    if (job?.status !== 'PENDING') return []
    await launcher.launch(job)
    return [job]
  }
  const admitted = await jobs.admit({ ...queueRules, maxRunning: capacity })
  const launched = await Promise.allSettled(admitted.map(one => launcher.launch(one)))
  const failure = launched.find(one => one.status === 'rejected')
  if (failure) throw failure.reason
  return admitted
}

export interface LaunchWaitingPorts extends CapacityPorts {
  /** @default setTimeout */
  readonly sleep?: Sleep
}

/**
 * Run it when a job has ended, and on a schedule: starts those that wait, as users take turns. For workers that are
 * about to stop, since their jobs were cancelled, it waits a few seconds.
 */
export const launchWaiting: Task<unknown, { readonly launched: number }, LaunchWaitingPorts> =
  /* @__PURE__ */ defineTask({
    name: 'launch-waiting-jobs',
    description: 'Starts the work of jobs that wait, users in turn, as long as there is capacity.',
    idempotent: true,
    needs: {
      ports: { ...launchNeeds.ports, sleep: 'waits for workers that are about to stop; optional' },
      permissions: launchNeeds.permissions,
    },
    input: z.unknown(),
    output: z.object({ launched: z.int() }),
    errors: [...launchErrors, ...storeErrors],
    async run(_, ports: LaunchWaitingPorts, { now, signal, remainingMs }) {
      const { jobs, capacity, sleep = sleepFor } = ports
      const untilMs = now() + Math.min(maxLingerMs, remainingMs() / 2)
      let launched = 0
      for (;;) {
        launched += (await launchNext(ports, undefined)).length
        if (capacity === undefined || now() >= untilMs) return { launched }
        const { waiting, lingering } = await jobs.countQueue()
        if (waiting === 0 || lingering === 0) return { launched }
        await sleep(lingerStepMs, signal)
      }
    },
  })
