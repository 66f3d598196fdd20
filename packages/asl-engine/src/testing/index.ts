export {
  type ErrorMatrix,
  ErrorMatrixError,
  type ErrorMatrixOptions,
  type ExpectedCatch,
  errorMatrix,
  type MatrixCell,
} from './error-matrix.ts'
export type { LostResponses } from './lost-responses.ts'
export {
  type RecordedCall,
  type RecordedExecution,
  type RecordedMapRun,
  readHistory,
} from './recorded-execution.ts'
export { type Replay, replayHistory } from './replay-history.ts'
export { printReplayTest, type ReplayTestOptions } from './replay-test.ts'
export { type RunRecordedOptions, runRecorded } from './run-recorded.ts'
export { runWorkflow } from './run-workflow.ts'
export type {
  InjectedError,
  Injection,
  RepeatedCall,
  RunWorkflowOptions,
  TaskCallRecord,
  WorkflowRun,
} from './workflow-run.ts'
export { WorkflowStalledError } from './workflow-stalled.ts'
export {
  type BoundTask,
  bind,
  type ErrorClassLike,
  type RetryPolicyLike,
  type RunnableTask,
  type WorkflowTask,
  type WorkflowTasks,
} from './workflow-task.ts'
