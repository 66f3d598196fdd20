export {
  type ErrorMatrix,
  ErrorMatrixError,
  type ErrorMatrixOptions,
  errorMatrix,
  type MatrixCell,
} from './error-matrix.ts'
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
