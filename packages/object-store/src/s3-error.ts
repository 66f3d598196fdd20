import { ForbiddenError, TemporaryError, toTaskError } from '@stepwright/errors'
import { outsideObject } from './byte-range.ts'

/** What a failure of the S3 client means. An abort stays what it is. */
export function toStoreError(error: unknown, key: string): unknown {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  if (name === 'AbortError') return error
  const status = $metadata?.httpStatusCode
  if (status === 416) return outsideObject(key, error)
  if (status === 403) {
    return new ForbiddenError(`S3 denies access to the object ${key}`, { details: { key }, cause: error })
  }
  // Two conditional writes at the same time: S3 asks for another try.
  if (status === 409) {
    return new TemporaryError(`another write of ${key} is going on`, { details: { key }, cause: error })
  }
  return toTaskError(error)
}
