import {
  ConflictError,
  DatabaseConnectionError,
  DataValidationError,
  type TaskErrorClass,
  TemporaryError,
  ValidationError,
} from '@stepwright/errors'

/** What the ledger's handlers announce, and whatever else only reads or deletes. */
export const databaseErrors: readonly TaskErrorClass[] = [
  ValidationError,
  DatabaseConnectionError,
  TemporaryError,
]

/** What the handlers announce, unless they are told otherwise. */
export const batchWriterTaskErrors: readonly TaskErrorClass[] = [
  ConflictError,
  DataValidationError,
  ...databaseErrors,
]
