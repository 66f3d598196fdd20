import { DataValidationError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { type Job, type JobStatus, jobStatuses, type ListedJob } from './job.ts'
import { jobNeeds } from './job-needs.ts'
import type { ListQuery } from './job-store.ts'
import { type JobPorts, jobSummary, shortText } from './job-task.ts'
import { type JobSummary, toJobView } from './job-view.ts'
import { storeErrors } from './task-errors.ts'

export interface ListJobsInput {
  readonly userId: string
  readonly type?: string | undefined
  readonly status?: JobStatus | undefined
  /** From 1 to 100. A text of digits is taken, too: a query has nothing else. @default 20 */
  readonly limit?: number | string | undefined
  /** The one that the page before came with. */
  readonly cursor?: string | undefined
}

export interface ListJobsPorts extends JobPorts {
  /** What a list shows of a job, such as its title. @default null */
  readonly summaryOf?: (job: ListedJob) => unknown
}

export interface ListJobsOutput {
  readonly jobs: readonly JobSummary[]
  /** For the next page; missing on the last one. */
  readonly cursor?: string | undefined
}

const maxLimit = 100
const limitText = `must be a whole number from 1 to ${maxLimit}`

/** A user's own jobs, the newest first. */
export const listJobs: Task<ListJobsInput, ListJobsOutput, ListJobsPorts> = /* @__PURE__ */ defineTask({
  name: 'list-jobs',
  description: "Lists a user's jobs, the newest first, page by page.",
  idempotent: true,
  needs: {
    ports: { ...jobNeeds.ports, summaryOf: 'what a list shows of a job; optional' },
    permissions: jobNeeds.permissions,
  },
  input: z.object({
    userId: shortText,
    type: z.optional(shortText),
    status: z.optional(z.enum(jobStatuses, `must be one of ${jobStatuses.join(', ')}`)),
    limit: z._default(
      z.pipe(
        z.pipe(z.union([z.number(), z.string()], limitText), z.transform(Number)),
        z.int(limitText).check(z.minimum(1, limitText), z.maximum(maxLimit, limitText)),
      ),
      20,
    ),
    cursor: z.optional(z.string()),
  }),
  output: z.object({ jobs: z.array(jobSummary), cursor: z.optional(z.string()) }),
  errors: [DataValidationError, ...storeErrors],
  async run(
    { userId, type, status, limit, cursor },
    { jobs, summaryOf = () => null }: ListJobsPorts,
    { now },
  ) {
    const after = cursor === undefined ? undefined : parseCursor(cursor)
    // One more than asked for says whether there is another page.
    const found = await jobs.listByUser(userId, { type, status, limit: limit + 1, after })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const views = page.map(job => {
      const { result: _, ...view } = toJobView({ ...job, result: null }, now())
      return { ...view, summary: summaryOf(job) ?? null }
    })
    return { jobs: views, ...(last && found.length > limit && { cursor: toCursor(last) }) }
  },
})

function toCursor({ createdAt, id }: Pick<Job, 'createdAt' | 'id'>): string {
  return Buffer.from(JSON.stringify([createdAt.getTime(), id])).toString('base64url')
}

const cursorSchema = /* @__PURE__ */ z.tuple([z.int().check(z.minimum(0), z.maximum(8.64e15)), shortText])

function parseCursor(cursor: string): ListQuery['after'] {
  try {
    const [createdAt, id] = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { createdAt: new Date(createdAt), id }
  } catch (cause) {
    throw new DataValidationError('cursor must be the one that the page before came with', { cause })
  }
}
