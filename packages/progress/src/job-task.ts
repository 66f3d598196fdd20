import { ForbiddenError } from '@stepwright/errors'
import * as z from 'zod/mini'
import { TooManyJobsError } from './errors.ts'
import { type Job, jobStatuses, type NewJob } from './job.ts'
import type { JobStore } from './job-store.ts'
import type { JobDetail, JobSummary, JobView } from './job-view.ts'

export interface JobPorts {
  readonly jobs: JobStore
  /** What somebody hears who asks for a job that is not theirs. @default 'no access to this process' */
  readonly refusal?: string
}

export interface LaunchPorts extends JobPorts {
  readonly launcher: JobLauncher
}

export interface CapacityPorts extends LaunchPorts {
  /**
   * How many jobs may run at once. More wait, PENDING, until `launchWaiting` starts them by their priority.
   * @default as many as come
   */
  readonly capacity?: number
}

export interface InsertPorts extends CapacityPorts {
  /** How many jobs of a user may be open, running or waiting. More are refused. @default any number */
  readonly maxOpenJobs?: number
}

/** @throws TooManyJobsError if the user has as many as they may have */
export async function insertJob(
  { jobs, maxOpenJobs }: InsertPorts,
  job: NewJob,
): ReturnType<JobStore['insert']> {
  if (maxOpenJobs === undefined) return jobs.insert(job)
  const { job: inserted, created } = await jobs.insertWithin(job, maxOpenJobs)
  if (inserted) return { job: inserted, created }
  throw new TooManyJobsError(
    `there are ${maxOpenJobs} jobs that have not ended: wait for one, or cancel one`,
    {
      details: { limit: maxOpenJobs },
    },
  )
}

/** Starts the work of a job, usually as an execution of a state machine. */
export interface JobLauncher {
  /** Launching a job twice must start it once: name the execution after the job's id. */
  launch(job: Job): Promise<void>
}

const summaryFields = {
  jobId: z.string(),
  status: z.enum(jobStatuses),
  type: z.string(),
  progress: z.int(),
  targetId: z.nullable(z.string()),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  retryCount: z.int(),
  retryOf: z.nullable(z.string()),
  attempt: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  completedAt: z.nullable(z.iso.datetime()),
  estimatedCompletionTime: z.iso.datetime(),
  position: z.nullable(z.int()),
}

export const jobView: z.ZodMiniType<JobView, JobView> = /* @__PURE__ */ z.object({
  ...summaryFields,
  result: z.unknown(),
})

export const jobDetail: z.ZodMiniType<JobDetail, JobDetail> = /* @__PURE__ */ z.object({
  ...summaryFields,
  result: z.unknown(),
  params: z.unknown(),
})

export const jobSummary: z.ZodMiniType<JobSummary, JobSummary> = /* @__PURE__ */ z.object({
  ...summaryFields,
  summary: z.unknown(),
})

export const shortText: z.ZodMiniType<string, string> = /* @__PURE__ */ z
  .string()
  .check(z.maxLength(256), z.regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must be text without control characters'))

export interface OwnedJobInput {
  readonly userId: string
  readonly jobId: string
}

export const ownedJob: z.ZodMiniType<OwnedJobInput, OwnedJobInput> = /* @__PURE__ */ z.object({
  userId: shortText,
  jobId: shortText,
})

/** The job, for its owner only. Others cannot find out whether it exists. */
export async function findOwned(ports: JobPorts, { userId, jobId }: OwnedJobInput): Promise<Job> {
  return refuseOthers(await ports.jobs.find(jobId), userId, ports)
}

export function refuseOthers(
  job: Job | undefined,
  userId: string,
  { refusal = 'no access to this process' }: JobPorts,
): Job {
  if (job?.userId === userId) return job
  throw new ForbiddenError(refusal)
}
