import {
  ConflictError,
  CSVValidationError,
  isTaskError,
  NotFoundError,
  ValidationError,
} from '@stepwright/errors'

/** As what a file that is missing or was replaced is reported. */
export type FileError = 'ValidationError' | 'CSVValidationError'

const classes = { ValidationError, CSVValidationError }

/**
 * Turns what a store says of a file that is missing or was replaced into an error that people mend by
 * uploading the file again, with the code `OBJECT_NOT_FOUND` or `OBJECT_REPLACED`. Other errors stay as they are.
 */
export function toFileError(error: unknown, key: string, as: FileError = 'ValidationError'): unknown {
  const [code, message] = whatIsWrong(error)
  if (code === undefined) return error
  return new classes[as](`${message}: upload it again`, { code, details: { key }, cause: error })
}

function whatIsWrong(error: unknown): [code: string, message: string] | [] {
  if (isTaskError(error, NotFoundError)) return ['OBJECT_NOT_FOUND', 'the file does not exist']
  if (isTaskError(error, ConflictError) && error.code === 'SOURCE_CHANGED') {
    return ['OBJECT_REPLACED', 'the file was replaced']
  }
  return []
}
