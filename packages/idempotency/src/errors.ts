import {
  type BusinessErrorClass,
  defineBusinessError,
  defineRetryableError,
  type RetryableErrorClass,
  type TaskError,
} from '@stepwright/errors'

/** The store could not be asked whether the call may run; nothing has happened yet. */
export const IdempotencyStoreError: RetryableErrorClass<'IdempotencyStoreError'> =
  /* @__PURE__ */ defineRetryableError('IdempotencyStoreError')
export type IdempotencyStoreError = TaskError<'IdempotencyStoreError', 'retryable'>

/** The work was done, but its result is not JSON: no later call can be told it, and none does the work again. */
export const UntellableResultError: BusinessErrorClass<'UntellableResultError'> =
  /* @__PURE__ */ defineBusinessError('UntellableResultError', { httpStatus: 500 })
export type UntellableResultError = TaskError<'UntellableResultError', 'business'>
