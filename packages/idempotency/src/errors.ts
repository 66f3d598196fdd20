import { defineRetryableError, type RetryableErrorClass, type TaskError } from '@stepwright/errors'

/** The store could not be asked whether the call may run; nothing has happened yet. */
export const IdempotencyStoreError: RetryableErrorClass<'IdempotencyStoreError'> =
  /* @__PURE__ */ defineRetryableError('IdempotencyStoreError')
export type IdempotencyStoreError = TaskError<'IdempotencyStoreError', 'retryable'>
