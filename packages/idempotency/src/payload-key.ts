import { createHash } from 'node:crypto'
import { DataValidationError } from '@stepwright/errors'
import { canonicalJson, NotCanonicalError } from '@stepwright/errors/json'

export interface PayloadKeyOptions<Value> {
  /** Keeps the keys of different work apart: two tasks given the same payload must not answer for each other. */
  readonly namespace: string
  /** The part of the payload that says which call it is. @default the whole payload */
  readonly select?: (value: Value) => unknown
}

/**
 * `namespace#` and the SHA-256 of the payload's canonical JSON, in hexadecimal. The same for any order of members
 * and before and after a JSON boundary.
 * @throws DataValidationError when `select` finds nothing, since all such calls would share one key, or what has
 * no canonical JSON
 */
export function payloadKey<Value>(
  value: Value,
  { namespace, select = whole => whole }: PayloadKeyOptions<Value>,
): string {
  if (!/^[\x21-\x22\x24-\x7e]{1,256}$/.test(namespace)) {
    throw new TypeError(
      `the namespace must be 1 to 256 visible ASCII characters without "#", not ${JSON.stringify(namespace)}`,
    )
  }
  const selected = select(value)
  if (selected === undefined || selected === null || selected === '') {
    throw new DataValidationError(
      `no idempotency key for ${namespace}: the payload has ${selected} in its place`,
    )
  }
  return `${namespace}#${payloadHash(selected)}`
}

/**
 * The SHA-256 of a value's canonical JSON, in hexadecimal.
 * @throws DataValidationError for a value that has none, such as a text with a lone surrogate
 */
export function payloadHash(value: unknown): string {
  return createHash('sha256').update(canonicalOrRefused(value)).digest('hex')
}

function canonicalOrRefused(value: unknown): string {
  try {
    return canonicalJson(value)
  } catch (cause) {
    if (!(cause instanceof NotCanonicalError)) throw cause
    throw new DataValidationError(`the payload cannot be hashed: ${cause.message}`, { cause })
  }
}
