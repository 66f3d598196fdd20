import { DataValidationError } from '@stepwright/errors'

/** What DynamoDB takes for a key, and PostgreSQL in an index. */
const maxKeyBytes = 2_048

/**
 * Refuses keys that a store cannot hold, or would take for another: in UTF-8 all halves of surrogate pairs are the
 * same, so that one call would get the answer of another.
 */
export function checkKey(key: string): void {
  const bytes = Buffer.byteLength(key)
  if (bytes > 0 && bytes <= maxKeyBytes && key.isWellFormed() && !key.includes('\0')) return
  throw new DataValidationError(
    `an idempotency key must have from 1 to ${maxKeyBytes} bytes, and no NUL and no half of a surrogate pair`,
  )
}
