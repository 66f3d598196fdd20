export {
  IllegalTransitionError,
  JobCancelledError,
  RetryRefusedError,
  StaleAttemptError,
  TokenGoneError,
  TooManyJobsError,
} from './errors.ts'
export type { Job, JobError, JobPart, JobStatus, ListedJob, NewJob } from './job.ts'
export {
  createJobLauncher,
  createJobOutcomes,
  createJobStopper,
  type JobExecution,
  type JobOutcomesOptions,
  type JobWorkflow,
} from './job-executions.ts'
export { createJobFeed, type JobChange, type JobFeed, type JobFeedOptions } from './job-feed.ts'
export type {
  Admission,
  ChangeOutcome,
  JobEnd,
  JobStore,
  ListQuery,
  QueueRules,
  StaleQuery,
  TakeOver,
} from './job-store.ts'
export type { JobDetail, JobSummary, JobView } from './job-view.ts'
export { keepMissingParts, type MissingPartsOptions } from './keep-missing-parts.ts'
export { createProgressPlan, type PlanRun, type ProgressPlan, type StepWeight } from './progress-plan.ts'
export { createResultOfParts, type ToResult } from './result-of-parts.ts'
export { runWorker, type WorkerOptions } from './run-worker.ts'
export type { TaskCallback } from './task-callback.ts'
export { type JobTracker, type TrackOptions, trackJob } from './track-job.ts'
export type { FinalStatus } from './transitions.ts'
