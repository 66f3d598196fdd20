export {
  type ErrorMatrix,
  ErrorMatrixError,
  type ErrorMatrixOptions,
  errorMatrix,
  type MatrixCell,
} from './error-matrix.ts'
export { type RecordedCall, type RecordedExecution, readHistory } from './recorded-execution.ts'
export { answersOf, type Replay, type ReplayOptions, replayHistory } from './replay-history.ts'
export { printReplayTest, type ReplayTestOptions } from './replay-test.ts'
export {
  type Injection,
  type RunWorkflowOptions,
  runWorkflow,
  type TaskCallRecord,
  type WorkflowRun,
} from './run-workflow.ts'
export {
  type BoundTask,
  bind,
  type ErrorClassLike,
  type RetryPolicyLike,
  type RunnableTask,
  type WorkflowTask,
  type WorkflowTasks,
} from './workflow-task.ts'
