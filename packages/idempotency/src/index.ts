export { IdempotencyStoreError, UntellableResultError } from './errors.ts'
export {
  executionName,
  type S3EventBridgeEvent,
  type S3NotificationEvent,
  type S3NotificationRecord,
} from './execution-name.ts'
export { executionArnOf } from './execution-request.ts'
export type {
  Execution,
  ExecutionCallOptions,
  Executions,
  StartedExecution,
  StartRequest,
  StopRequest,
} from './executions.ts'
export type {
  Acquired,
  Claim,
  Held,
  IdempotencyStore,
  KeyState,
  Lock,
  LockSpan,
  Outcome,
  Settled,
  StoredFailure,
} from './idempotency-store.ts'
export { findLock, type IdempotentOptions, idempotent, lockOf } from './idempotent.ts'
export type { OnTrouble } from './lease.ts'
export { type PayloadKeyOptions, payloadKey } from './payload-key.ts'
export { type HeldLock, type RunOnceOptions, runOnce } from './run-once.ts'
export {
  createWorkflowExecutions,
  isAtWork,
  type WorkflowExecutions,
  type WorkflowExecutionsOptions,
} from './workflow-executions.ts'
