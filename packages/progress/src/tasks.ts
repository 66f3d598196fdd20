export { type CancelJobPorts, cancelJob, type JobStopper } from './cancel-job.ts'
export {
  type EndedJob,
  type EndStuckJobsOutput,
  type EndStuckJobsPorts,
  endStuckJobs,
  type StuckOutcome,
} from './end-stuck-jobs.ts'
export type { StuckJobsInput } from './find-stuck-jobs.ts'
export { type FollowJobInput, type FollowJobPorts, followJob } from './follow-job.ts'
export { type GetJobPorts, getJob } from './get-job.ts'
export {
  type CapacityPorts,
  type InsertPorts,
  type JobLauncher,
  type JobPorts,
  type LaunchPorts,
  type OwnedJobInput,
  shortText,
} from './job-task.ts'
export { type LaunchWaitingPorts, launchWaiting } from './launch-waiting.ts'
export {
  type ListJobsInput,
  type ListJobsOutput,
  type ListJobsPorts,
  listJobs,
} from './list-jobs.ts'
export type { JobWork } from './perform-job.ts'
export { type PurgeJobsInput, purgeJobs } from './purge-jobs.ts'
export { type RetryJobPorts, retryJob } from './retry-job.ts'
export {
  type StartJobInput,
  type StartJobOptions,
  type StartJobPorts,
  startJob,
  startJobOf,
} from './start-job.ts'
export { progressTaskErrors } from './task-errors.ts'
export { type UpdateStatusInput, type UpdateStatusPorts, updateStatus } from './update-status.ts'
export { type StaleJob, type WatchJobsOutput, watchJobs } from './watch-jobs.ts'
export {
  type WorkInput,
  type WorkOptions,
  type WorkOutput,
  type WorkPorts,
  workOnJob,
} from './work-on-job.ts'
