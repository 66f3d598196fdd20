import { createHash } from 'node:crypto'

/** A fingerprint of a manifest entry, the same for the same JSON whatever the order of its properties. */
export function checksumOf(entry: unknown): string {
  return createHash('sha256').update(canonicalJson(entry)).digest('hex')
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
