import {
  DataValidationError,
  NetworkError,
  PayloadTooLargeError,
  ServiceUnavailableException,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'

/** What the handlers that start executions declare. */
export const idempotencyTaskErrors: readonly TaskErrorClass[] = [
  DataValidationError,
  PayloadTooLargeError,
  NetworkError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
]
