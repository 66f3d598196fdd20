export type { Classifier, ErrorFields } from './classify.ts'
export {
  BusinessError,
  type BusinessErrorFacts,
  defineBusinessError,
  defineRetryableError,
  RetryableError,
  type RetryableErrorFacts,
} from './define-error.ts'
export { type DurableRetryDecision, toDurableRetryStrategy } from './durable-retry.ts'
export { type Envelope, sealMessage } from './envelope.ts'
export { type HttpProblem, toHttpProblem } from './http-problem.ts'
export { lambdaDeathNames, lambdaTransientNames } from './lambda-names.ts'
export { type ErrorOutput, type ParsedCause, parseCause } from './parse-cause.ts'
export type { RetryPolicy } from './retry-policy.ts'
export { describeIssues, type Issue, toIssues } from './schema-issues.ts'
export {
  type BusinessErrorClass,
  type ErrorDetails,
  type ErrorKind,
  isTaskError,
  type RetryableErrorClass,
  type TaskError,
  type TaskErrorClass,
  type TaskErrorOptions,
} from './task-error.ts'
export {
  ConcurrentExecutionError,
  ConflictError,
  CSVValidationError,
  DatabaseConnectionError,
  DataValidationError,
  ForbiddenError,
  IdempotencyConflictError,
  NetworkError,
  NotFoundError,
  PayloadTooLargeError,
  ServiceUnavailableException,
  TaskTimeoutError,
  TemporaryError,
  ThrottlingException,
  UnexpectedError,
  ValidationError,
} from './taxonomy.ts'
export { toTaskError } from './to-task-error.ts'
export {
  CRAWLER_FAILED,
  DQ_FAILED,
  GLUE_JOB_FAILED,
  IDEMPOTENT_SKIP,
  NO_RAW_DATA,
  PRE_VALIDATION_FAILED,
  SCHEMA_CHECK_FAILED,
  TIMEOUT,
  UNEXPECTED_ERROR,
} from './transform-codes.ts'
