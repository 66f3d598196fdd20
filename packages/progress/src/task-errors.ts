import {
  DatabaseConnectionError,
  DataValidationError,
  ForbiddenError,
  IdempotencyConflictError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableException,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'
import {
  IllegalTransitionError,
  JobCancelledError,
  RetryRefusedError,
  StaleAttemptError,
  TokenGoneError,
  TooManyJobsError,
} from './errors.ts'

/** What a call to the store can fail with. */
export const storeErrors: readonly TaskErrorClass[] = [DatabaseConnectionError, TemporaryError, NetworkError]

/** What launching a job can fail with besides. */
export const launchErrors: readonly TaskErrorClass[] = [ThrottlingException, ServiceUnavailableException]

/** Every error that a handler of this package declares. */
export const progressTaskErrors: readonly TaskErrorClass[] = [
  DataValidationError,
  ForbiddenError,
  IdempotencyConflictError,
  IllegalTransitionError,
  JobCancelledError,
  NotFoundError,
  RetryRefusedError,
  StaleAttemptError,
  TokenGoneError,
  TooManyJobsError,
  ...storeErrors,
  ...launchErrors,
]
