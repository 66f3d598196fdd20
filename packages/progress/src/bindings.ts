import {
  type AppResource,
  type Binding,
  bindFrom,
  binding,
  reference,
  showing,
} from '@stepwright/app/bindings'
import type { JobStopper } from './cancel-job.ts'
import type { StuckOutcome } from './end-stuck-jobs.ts'
import type { Job } from './job.ts'
import {
  createJobLauncher,
  createJobOutcomes,
  createJobStopper,
  type JobOutcomesOptions,
  type JobWorkflow,
} from './job-executions.ts'
import { createJobFeed, type JobFeed, type JobFeedOptions } from './job-feed.ts'
import type { JobStore } from './job-store.ts'
import type { JobLauncher } from './job-task.ts'
import type { PostgresJobStoreOptions } from './postgres-job-store.ts'
import { createResultOfParts, type ToResult } from './result-of-parts.ts'
import type { TaskCallback } from './task-callback.ts'

/** The jobs in a table of `createProcessingStateMigration`: `jobStore(postgres(db))`. */
export function jobStore(
  pool: Binding<PostgresJobStoreOptions['pool']>,
  options: Omit<PostgresJobStoreOptions, 'pool'> = {},
): Binding<JobStore> {
  const store = bindFrom(pool, async opened => {
    const { createPostgresJobStore } = await import('./postgres-job-store.ts')
    return createPostgresJobStore({ ...options, pool: opened })
  })
  const { tableName = 'processing_state' } = options
  return showing(store, {
    kind: 'jobs',
    name: tableName,
    of: { pool, tableName: binding({ open: () => tableName }) },
    inspect: () => import('./inspect.ts'),
  })
}

/** The feed of `followJob`: one for all streams of a process. */
export function jobFeed(
  jobs: Binding<JobFeedOptions['jobs']>,
  options: Omit<JobFeedOptions, 'jobs'> = {},
): Binding<JobFeed> {
  return bindFrom(jobs, opened => createJobFeed({ ...options, jobs: opened }))
}

/** The result of a job, made of its parts. @default the values of the parts, in their order */
export function resultOfParts(
  jobs: Binding<Pick<JobStore, 'listParts'>>,
  toResult?: ToResult,
): Binding<(job: Job) => Promise<unknown>> {
  return bindFrom(jobs, opened => createResultOfParts(opened, toResult))
}

/** Starts the executions of jobs: `jobLauncher(executions(report, 'start'))`. */
export function jobLauncher(workflow: Binding<Pick<JobWorkflow, 'start'>>): Binding<JobLauncher> {
  return bindFrom(workflow, createJobLauncher)
}

/** Stops the executions of jobs: `jobStopper(executions(report, 'stop'))`. */
export function jobStopper(workflow: Binding<Pick<JobWorkflow, 'stop'>>): Binding<JobStopper> {
  return bindFrom(workflow, createJobStopper)
}

/** Reads from the executions of jobs how they ended: `jobOutcomes(executions(report, 'describe'))`. */
export function jobOutcomes(
  workflow: Binding<Pick<JobWorkflow, 'describe'>>,
  options?: JobOutcomesOptions,
): Binding<(job: Job) => Promise<StuckOutcome | undefined>> {
  return bindFrom(workflow, opened => createJobOutcomes(opened, options))
}

/** Answers states of a workflow that wait for a task token. */
export function taskCallback(workflow: AppResource<'workflow'>): Binding<TaskCallback> {
  return bindFrom(reference(workflow, 'answer'), async () => {
    const [{ SFNClient }, { createStepFunctionsCallback }] = await Promise.all([
      import('./sfn-client.ts'),
      import('./step-functions-callback.ts'),
    ])
    return createStepFunctionsCallback({ client: new SFNClient({}) })
  })
}
