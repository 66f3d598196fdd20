import { business, RetryableError, retryable } from './define-error.ts'
import { doubling, type RetryPolicy } from './retry-policy.ts'
import type { BusinessErrorClass, RetryableErrorClass, TaskError } from './task-error.ts'

const patient: RetryPolicy = RetryableError.retry
const brisk: RetryPolicy = /* @__PURE__ */ doubling(1, 3)
const once: RetryPolicy = /* @__PURE__ */ doubling(2, 1)

// Business: the same call never succeeds.

/** The request as a whole is wrong: an unknown event type, an impossible combination. */
export const ValidationError: BusinessErrorClass<'ValidationError'> = /* @__PURE__ */ business(
  'ValidationError',
  400,
)
export type ValidationError = TaskError<'ValidationError', 'business'>

/** A field or a row does not fit its schema; `details.issues` says which and why. */
export const DataValidationError: BusinessErrorClass<'DataValidationError'> = /* @__PURE__ */ business(
  'DataValidationError',
  400,
)
export type DataValidationError = TaskError<'DataValidationError', 'business'>

/** The file is no CSV that can be read: format, encoding or structure. */
export const CSVValidationError: BusinessErrorClass<'CSVValidationError'> =
  /* @__PURE__ */ business('CSVValidationError')
export type CSVValidationError = TaskError<'CSVValidationError', 'business'>

export const ForbiddenError: BusinessErrorClass<'ForbiddenError'> = /* @__PURE__ */ business(
  'ForbiddenError',
  403,
)
export type ForbiddenError = TaskError<'ForbiddenError', 'business'>

export const NotFoundError: BusinessErrorClass<'NotFoundError'> = /* @__PURE__ */ business(
  'NotFoundError',
  404,
)
export type NotFoundError = TaskError<'NotFoundError', 'business'>

/** The call contradicts what is already stored. */
export const ConflictError: BusinessErrorClass<'ConflictError'> = /* @__PURE__ */ business(
  'ConflictError',
  409,
)
export type ConflictError = TaskError<'ConflictError', 'business'>

/** An idempotency key came back with another payload. */
export const IdempotencyConflictError: BusinessErrorClass<'IdempotencyConflictError'> =
  /* @__PURE__ */ business('IdempotencyConflictError')
export type IdempotencyConflictError = TaskError<'IdempotencyConflictError', 'business'>

/** The result would not fit into a state's payload (262,144 bytes). */
export const PayloadTooLargeError: BusinessErrorClass<'PayloadTooLargeError'> = /* @__PURE__ */ business(
  'PayloadTooLargeError',
  413,
)
export type PayloadTooLargeError = TaskError<'PayloadTooLargeError', 'business'>

// Retryable: the same call may succeed later.

/** Something passing. Prefer a class that names it. */
export const TemporaryError: RetryableErrorClass<'TemporaryError'> = /* @__PURE__ */ retryable(
  'TemporaryError',
  patient,
)
export type TemporaryError = TaskError<'TemporaryError', 'retryable'>

export const DatabaseConnectionError: RetryableErrorClass<'DatabaseConnectionError'> =
  /* @__PURE__ */ retryable('DatabaseConnectionError', patient)
export type DatabaseConnectionError = TaskError<'DatabaseConnectionError', 'retryable'>

export const ThrottlingException: RetryableErrorClass<'ThrottlingException'> = /* @__PURE__ */ retryable(
  'ThrottlingException',
  brisk,
  429,
)
export type ThrottlingException = TaskError<'ThrottlingException', 'retryable'>

export const ServiceUnavailableException: RetryableErrorClass<'ServiceUnavailableException'> =
  /* @__PURE__ */ retryable('ServiceUnavailableException', brisk)
export type ServiceUnavailableException = TaskError<'ServiceUnavailableException', 'retryable'>

export const NetworkError: RetryableErrorClass<'NetworkError'> = /* @__PURE__ */ retryable(
  'NetworkError',
  brisk,
  502,
)
export type NetworkError = TaskError<'NetworkError', 'retryable'>

/** Another delivery of the same call is running; `retryAfterSeconds` says when its lock ends. */
export const ConcurrentExecutionError: RetryableErrorClass<'ConcurrentExecutionError'> =
  /* @__PURE__ */ retryable('ConcurrentExecutionError', /* @__PURE__ */ doubling(5, 5), 409)
export type ConcurrentExecutionError = TaskError<'ConcurrentExecutionError', 'retryable'>

/** The task was stopped because its Lambda was about to run out of time. */
export const TaskTimeoutError: RetryableErrorClass<'TaskTimeoutError'> = /* @__PURE__ */ retryable(
  'TaskTimeoutError',
  once,
  504,
)
export type TaskTimeoutError = TaskError<'TaskTimeoutError', 'retryable'>

/** Whatever a task did not declare. It gets one retry; the original is in the log and in `cause`. */
export const UnexpectedError: RetryableErrorClass<'UnexpectedError'> = /* @__PURE__ */ retryable(
  'UnexpectedError',
  once,
  500,
)
export type UnexpectedError = TaskError<'UnexpectedError', 'retryable'>
