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
 * uploading the file again, with the code `OBJECT_NOT_FOUND` or `OBJECT_REPLACED`, or `BUCKET_NOT_FOUND` where the
 * store can tell. Other errors stay as they are.
 */
export function toFileError(error: unknown, key: string, as: FileError = 'ValidationError'): unknown {
  const wrong = whatIsWrong(error, key)
  if (wrong === undefined) return error
  const [code, message] = wrong
  const bucket = bucketOf(error)
  const details = bucket === undefined ? { key } : { bucket, key }
  return new classes[as](message, { code, details, cause: error })
}

function whatIsWrong(error: unknown, key: string): readonly [code: string, message: string] | undefined {
  if (isTaskError(error, NotFoundError)) {
    const bucket = bucketOf(error)
    if (error.code === 'BUCKET_NOT_FOUND')
      return [
        'BUCKET_NOT_FOUND',
        `there is no bucket ${bucket} for the file ${key}: correct the bucket's name`,
      ]
    const place =
      bucket === undefined
        ? ': upload it again'
        : ` in the bucket ${bucket}: upload it again, or correct the bucket's name`
    return ['OBJECT_NOT_FOUND', `there is no file ${key}${place}`]
  }
  if (isTaskError(error, ConflictError) && error.code === 'SOURCE_CHANGED') {
    return ['OBJECT_REPLACED', `the file ${key} was replaced: upload it again`]
  }
  return undefined
}

/** Where a store says in which bucket it looked. */
function bucketOf(error: unknown): string | undefined {
  const { bucket } = ((error as { details?: unknown }).details ?? {}) as { bucket?: unknown }
  return typeof bucket === 'string' ? bucket : undefined
}
