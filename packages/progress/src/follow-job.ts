import { DataValidationError, ForbiddenError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import type { ServerSentEvent } from '@stepwright/task/http'
import * as z from 'zod/mini'
import type { Job, JobPart } from './job.ts'
import { type JobChange, type JobFeed, lastPart } from './job-feed.ts'
import { jobNeeds } from './job-needs.ts'
import type { JobStore } from './job-store.ts'
import { findOwned, type JobPorts, type OwnedJobInput, shortText } from './job-task.ts'
import { toJobView } from './job-view.ts'
import { storeErrors } from './task-errors.ts'
import { isFinal } from './transitions.ts'

export interface FollowJobInput extends OwnedJobInput {
  /** The id of the last event that the reader has seen. */
  readonly lastEventId?: string | undefined
}

export interface FollowJobPorts extends JobPorts {
  readonly feed: JobFeed
}

/** What comes after the events that a reader has seen. */
type Cursor = Pick<JobPart, 'version' | 'part'>

/**
 * A job's changes as they come, for its owner: an event `part` for each part of the result, an event `status` with the
 * view of the job, and the end after its final status. A reader that comes back with `lastEventId` misses nothing.
 */
export const followJob: Task<FollowJobInput, AsyncIterable<ServerSentEvent> | undefined, FollowJobPorts> =
  /* @__PURE__ */ defineTask({
    name: 'follow-job',
    description: 'Streams the changes of a job to its owner, until it has ended.',
    idempotent: true,
    needs: {
      ports: { ...jobNeeds.ports, feed: 'tells of the changes of jobs' },
      permissions: jobNeeds.permissions,
    },
    input: z.object({ userId: shortText, jobId: shortText, lastEventId: z.optional(z.string()) }),
    output: z.custom<AsyncIterable<ServerSentEvent> | undefined>(),
    errors: [ForbiddenError, DataValidationError, ...storeErrors],
    async run(input, ports: FollowJobPorts, { signal, now }) {
      const job = await findOwned(ports, input)
      const after = parseEventId(input.lastEventId)
      if (isFinal(job.status) && after.version >= job.version) return undefined
      return follow(job, after, ports, signal, now)
    },
  })

async function* follow(
  { id }: Job,
  after: Cursor,
  { jobs, feed }: { readonly jobs: JobStore; readonly feed: JobFeed },
  signal: AbortSignal,
  now: () => number,
): AsyncGenerator<ServerSentEvent> {
  const waiting: (JobChange | undefined)[] = []
  let wake = (): void => {}
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort)
  const stop = feed.listen(id, change => {
    waiting.push(change)
    wake()
  })
  try {
    let cursor = after
    let progress = 0
    // Read only now: what the feed told others before this one listened, it does not tell again.
    const first = await jobs.find(id)
    const kept = first ? await jobs.listParts(id, after) : []
    let change: JobChange | undefined = first && {
      job: first,
      parts: kept.filter(({ version }) => version <= first.version),
    }
    while (change) {
      const { job, parts } = change
      for (const { version, part, value, progress: reached } of parts) {
        if (!isAfter({ version, part }, cursor)) continue
        cursor = { version, part }
        progress = Math.max(progress, reached)
        const data = { jobId: job.id, part, value, progress }
        yield { id: `${version}.${part}`, event: 'part', data }
      }
      const whole = { version: job.version, part: lastPart }
      if (isAfter(whole, cursor)) {
        cursor = whole
        progress = Math.max(progress, job.progress)
        yield { id: String(job.version), event: 'status', data: toJobView(job, now()) }
      }
      if (isFinal(job.status)) return
      while (waiting.length === 0 && !signal.aborted) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      if (signal.aborted) return
      change = waiting.shift()
    }
  } finally {
    stop()
    signal.removeEventListener('abort', onAbort)
  }
}

function isAfter(a: Cursor, b: Cursor): boolean {
  return a.version > b.version || (a.version === b.version && a.part > b.part)
}

/** `12` after all of version 12, `12.5` after its part 5. */
function parseEventId(id: string | undefined): Cursor {
  if (id === undefined || id === '') return { version: -1, part: -1 }
  const [, version, part] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(id) ?? []
  if (version === undefined) throw new DataValidationError('lastEventId must be the id of an event')
  return { version: Number(version), part: part === undefined ? lastPart : Number(part) }
}
