export type { AuditPorts, ExecutionInput } from './audit-task.ts'
export { recordAudit } from './record-audit.ts'
export {
  type FailureDescription,
  type FailureEvent,
  failureEventSchema,
  type RecordedFailure,
  type RecordFailureOptions,
  type RecordFailurePorts,
  recordFailure,
} from './record-failure.ts'
export {
  type ItemOutcome,
  type RecordOutcomesInput,
  type RecordOutcomesOptions,
  type RecordOutcomesPorts,
  recordOutcomes,
} from './record-outcomes.ts'
export { type SealAuditInput, type SealAuditOutput, sealAudit } from './seal-audit.ts'
export { auditTaskErrors } from './task-errors.ts'
export { type VerifyAuditInput, type VerifyAuditOutput, verifyAudit } from './verify-audit.ts'
