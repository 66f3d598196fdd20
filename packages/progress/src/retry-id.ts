import { createHash } from 'node:crypto'

/**
 * The id of a job's retry: a UUID made from the job's own id, so that two clicks, or a call that is repeated
 * because its answer was lost, give one retry.
 */
export function toRetryId(id: string): string {
  const hash = createHash('sha256').update(`@stepwright/progress retry of ${id}`).digest()
  // Version 8, variant 10: a UUID of our own making (RFC 9562).
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
