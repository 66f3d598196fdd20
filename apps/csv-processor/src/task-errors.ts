import {
  ConflictError,
  CSVValidationError,
  DatabaseConnectionError,
  defineBusinessError,
  ForbiddenError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableException,
  type TaskErrorClass,
  TaskTimeoutError,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'

/** More rows failed than the workflow tolerates. What was written stays; the rejected rows are in a file. */
export class ToleranceExceededError extends defineBusinessError('ToleranceExceededError') {}

export const storageErrors: readonly TaskErrorClass[] = [
  NotFoundError,
  ForbiddenError,
  NetworkError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
]

export const fileErrors: readonly TaskErrorClass[] = [ConflictError, CSVValidationError, ...storageErrors]

export const databaseErrors: readonly TaskErrorClass[] = [
  DatabaseConnectionError,
  TemporaryError,
  TaskTimeoutError,
]
