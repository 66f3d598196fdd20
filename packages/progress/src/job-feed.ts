import { aFunction, anObject, assertOptions, numberAbove } from '@stepwright/errors/options'
import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import type { Job, JobPart } from './job.ts'
import type { JobStore } from './job-store.ts'

/** A job as it is, and the parts that came with it. */
export interface JobChange {
  readonly job: Job
  readonly parts: readonly JobPart[]
}

/** Tells of the changes of jobs, to any number of listeners with few questions to the store. */
export interface JobFeed {
  /** Calls `listener` with every change from now on, until the function that it returns is called. */
  listen(jobId: string, listener: (change: JobChange | undefined) => void): () => void
}

export interface JobFeedOptions {
  readonly jobs: Pick<JobStore, 'find' | 'findVersions' | 'listParts'>
  /** How often the store is asked, for all jobs that anybody listens to at once. @default 500 */
  readonly intervalMs?: number
  /** @default setTimeout */
  readonly sleep?: Sleep
  /** The store could not be asked; it is asked again. @default ignored */
  readonly onError?: (error: unknown) => void
}

/** After every part of a version: the largest that PostgreSQL's integers hold. */
export const lastPart = 2_147_483_647

interface Topic {
  version: number
  readonly listeners: Set<(change: JobChange | undefined) => void>
}

/** One for all streams of a process. It asks nothing while nobody listens. */
export function createJobFeed(options: JobFeedOptions): JobFeed {
  assertOptions('createJobFeed', options, {
    jobs: anObject,
    intervalMs: numberAbove(0),
    sleep: aFunction,
    onError: aFunction,
  })
  const { jobs, intervalMs = 500, sleep = sleepFor, onError = () => {} } = options
  const topics = new Map<string, Topic>()
  let isRunning = false

  async function tellOf(id: string, topic: Topic, version: number | undefined): Promise<void> {
    if (version === topic.version) return
    const job = version === undefined ? undefined : await jobs.find(id)
    // Only what came since: the parts of a job that changes often are read once each.
    const parts = job ? await jobs.listParts(id, { version: topic.version, part: lastPart }) : []
    const change = job && { job, parts: parts.filter(part => part.version <= job.version) }
    topic.version = job?.version ?? -1
    for (const listener of [...topic.listeners]) listener(change)
  }

  async function run(): Promise<void> {
    while (topics.size > 0) {
      try {
        // Those of now: whoever listens to another job before the answer is there was not asked about.
        const asked = [...topics]
        const versions = await jobs.findVersions(asked.map(([id]) => id))
        await Promise.all(asked.map(([id, topic]) => tellOf(id, topic, versions.get(id))))
      } catch (error) {
        onError(error)
      }
      await sleep(intervalMs)
    }
    isRunning = false
  }

  return {
    listen(jobId, listener) {
      const topic = topics.get(jobId) ?? { version: -1, listeners: new Set() }
      topics.set(jobId, topic)
      topic.listeners.add(listener)
      if (!isRunning) {
        isRunning = true
        void run()
      }
      return () => {
        topic.listeners.delete(listener)
        if (topic.listeners.size === 0 && topics.get(jobId) === topic) topics.delete(jobId)
      }
    },
  }
}
