import { createHash } from 'node:crypto'
import { canonicalJson } from '@stepwright/errors/json'

/** A fingerprint of a manifest entry, the same for the same JSON whatever the order of its properties. */
export function checksumOf(entry: unknown): string {
  return createHash('sha256').update(canonicalJson(entry)).digest('hex')
}
