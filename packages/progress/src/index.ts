export {
  IllegalTransitionError,
  JobCancelledError,
  RetryRefusedError,
  StaleAttemptError,
} from './errors.ts'
export { type EstimateOptions, estimateCompletion } from './estimate-completion.ts'
export { type Job, type JobError, type JobStatus, jobStatuses, type NewJob } from './job.ts'
export type { ChangeOutcome, JobEnd, JobStore, ListQuery, StaleQuery, TakeOver } from './job-store.ts'
export { type JobView, toJobView } from './job-view.ts'
export { beginJob, endJob, type Moved } from './move-job.ts'
export { createProgressPlan, type PlanRun, type ProgressPlan, type StepWeight } from './progress-plan.ts'
export { type JobTracker, type TrackOptions, trackJob } from './track-job.ts'
export type { FinalStatus } from './transitions.ts'
