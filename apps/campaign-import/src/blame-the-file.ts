import { ConflictError, CSVValidationError, isTaskError, NotFoundError } from '@stepwright/errors'

/** A file that was replaced or deleted after its registration is for staff to mend, like one that is broken. */
export function blameTheFile(error: unknown, key: string): unknown {
  const [code, message] = isTaskError(error, NotFoundError)
    ? ['UPLOAD_MISSING', 'the uploaded file is gone']
    : isTaskError(error, ConflictError)
      ? ['UPLOAD_CHANGED', 'the uploaded file was replaced while it was imported']
      : []
  if (code === undefined) return error
  return new CSVValidationError(`${message}: upload it again`, {
    code,
    details: { s3_key: key },
    cause: error,
  })
}
