import { ValidationError } from '@stepwright/errors'

const maxKeyBytes = 1024
/** What Signature Version 4 allows. */
const maxExpirySeconds = 7 * 24 * 3600

/**
 * A key that S3 takes. Every adapter asks before it does anything, so that a test in memory finds what S3 would refuse.
 * @throws ValidationError (`INVALID_KEY`)
 */
export function requireKey(key: string): string {
  const bytes = Buffer.byteLength(key)
  if (bytes >= 1 && bytes <= maxKeyBytes && key.isWellFormed()) return key
  throw new ValidationError(`a key must be 1 to ${maxKeyBytes} bytes of UTF-8, and has ${bytes}`, {
    code: 'INVALID_KEY',
    details: { bytes },
  })
}

/** @throws TypeError for a time that no presigned request can be valid for */
export function requireExpiry(expiresInSeconds: number): number {
  if (Number.isInteger(expiresInSeconds) && expiresInSeconds >= 1 && expiresInSeconds <= maxExpirySeconds) {
    return expiresInSeconds
  }
  throw new TypeError(
    `expiresInSeconds must be a whole number from 1 to ${maxExpirySeconds}, which are 7 days, and is ${expiresInSeconds}`,
  )
}
