import {
  ConflictError,
  DataValidationError,
  ForbiddenError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableException,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'

/** What a call to the store can fail with, whatever it asks for. */
export const storeErrors: readonly TaskErrorClass[] = [
  ForbiddenError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
]

/** Every error that a handler of this package declares. */
export const objectStoreTaskErrors: readonly TaskErrorClass[] = [
  ConflictError,
  DataValidationError,
  ...storeErrors,
]
