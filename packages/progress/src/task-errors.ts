import {
  DatabaseConnectionError,
  DataValidationError,
  ForbiddenError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableException,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'
import { IllegalTransitionError, JobCancelledError, RetryRefusedError, StaleAttemptError } from './errors.ts'

/** What a call to the store can fail with. */
export const storeErrors: readonly TaskErrorClass[] = [DatabaseConnectionError, TemporaryError, NetworkError]

/** What launching a job can fail with besides. */
export const launchErrors: readonly TaskErrorClass[] = [ThrottlingException, ServiceUnavailableException]

/** Every error that a handler of this package declares. */
export const progressTaskErrors: readonly TaskErrorClass[] = [
  DataValidationError,
  ForbiddenError,
  IllegalTransitionError,
  JobCancelledError,
  NotFoundError,
  RetryRefusedError,
  StaleAttemptError,
  ...storeErrors,
  ...launchErrors,
]
