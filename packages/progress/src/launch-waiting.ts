import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Job } from './job.ts'
import { launchNeeds } from './job-needs.ts'
import type { CapacityPorts } from './job-task.ts'
import { launchErrors, storeErrors } from './task-errors.ts'

/** How long a launch may take before it counts as lost, and is done again. */
const relaunchAfterMs = 60_000

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
  const admitted = await jobs.admit({ maxRunning: capacity, relaunchAfterMs })
  const launched = await Promise.allSettled(admitted.map(one => launcher.launch(one)))
  const failure = launched.find(one => one.status === 'rejected')
  if (failure) throw failure.reason
  return admitted
}

/** Run it when a job has ended, and on a schedule: starts those that wait, by their priority. */
export const launchWaiting: Task<unknown, { readonly launched: number }, CapacityPorts> =
  /* @__PURE__ */ defineTask({
    name: 'launch-waiting-jobs',
    description: 'Starts the work of jobs that wait, by priority, as long as there is capacity.',
    idempotent: true,
    needs: launchNeeds,
    input: z.unknown(),
    output: z.object({ launched: z.int() }),
    errors: [...launchErrors, ...storeErrors],
    async run(_, ports: CapacityPorts) {
      return { launched: (await launchNext(ports, undefined)).length }
    },
  })
