import type { ActivityPort, TaskTokens } from '@stepwright/asl-engine'
import { activityMissing } from '../api/refusals.ts'
import type { Catalogue } from '../storage/catalogue.ts'
import type { Tags } from './machines.ts'

export interface Activity {
  readonly arn: string
  readonly name: string
  readonly createdMs: number
  readonly tags: Tags
}

export interface ActivityTask {
  readonly taskToken: string
  readonly input: string
}

export interface Activities extends ActivityPort {
  readonly create: (name: string, tags: Tags) => Activity
  readonly update: (arn: string, tags: Tags) => void
  readonly remove: (arn: string) => void
  readonly get: (arn: string) => Activity
  readonly find: (arn: string) => Activity | undefined
  readonly list: () => readonly Activity[]
  /** Waits for a task until the signal aborts. */
  readonly poll: (
    arn: string,
    workerName: string | undefined,
    signal: AbortSignal,
  ) => Promise<ActivityTask | undefined>
}

export interface ActivitiesOptions {
  readonly catalogue: Catalogue<Activity>
  readonly arnPrefix: string
  readonly now: () => number
  readonly taskTokens: TaskTokens
}

type Worker = (task: ActivityTask) => void

export function createActivities({ catalogue, arnPrefix, now, taskTokens }: ActivitiesOptions): Activities {
  const tasks = new Map<string, ActivityTask[]>()
  const workers = new Map<string, Worker[]>()
  const put = (activity: Activity): Activity => {
    catalogue.put(activity.arn, activity)
    return activity
  }
  const get = (arn: string): Activity => {
    const activity = catalogue.get(arn)
    if (activity === undefined) throw activityMissing(arn)
    return activity
  }
  const queueOf = <T>(queues: Map<string, T[]>, arn: string): T[] => {
    const queue = queues.get(arn) ?? []
    queues.set(arn, queue)
    return queue
  }
  /** Tasks that timed out while they waited are passed over. */
  const nextTask = (arn: string): ActivityTask | undefined => {
    const queue = queueOf(tasks, arn)
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      if (taskTokens.get(task.taskToken) !== undefined) return task
    }
    return undefined
  }
  return {
    exists: arn => catalogue.get(arn) !== undefined,
    schedule: ({ activityArn, taskToken, input }) => {
      const worker = queueOf(workers, activityArn).shift()
      if (worker === undefined) queueOf(tasks, activityArn).push({ taskToken, input })
      else worker({ taskToken, input })
    },
    create: (name, tags) => {
      const arn = `${arnPrefix}:activity:${name}`
      return catalogue.get(arn) ?? put({ arn, name, createdMs: now(), tags })
    },
    update: (arn, tags) => {
      put({ ...get(arn), tags })
    },
    remove: arn => {
      catalogue.remove(arn)
    },
    get,
    find: catalogue.get,
    list: () => catalogue.values(),
    poll: async (arn, workerName, signal) => {
      get(arn)
      const task = nextTask(arn) ?? (await waitForTask(queueOf(workers, arn), signal))
      if (task !== undefined) taskTokens.get(task.taskToken)?.start(workerName)
      return task
    },
  }
}

function waitForTask(waiting: Worker[], signal: AbortSignal): Promise<ActivityTask | undefined> {
  return new Promise(resolve => {
    const worker: Worker = task => {
      signal.removeEventListener('abort', leave)
      resolve(task)
    }
    const leave = (): void => {
      waiting.splice(waiting.indexOf(worker), 1)
      resolve(undefined)
    }
    if (signal.aborted) return resolve(undefined)
    waiting.push(worker)
    signal.addEventListener('abort', leave, { once: true })
  })
}
