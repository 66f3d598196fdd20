import { createHash } from 'node:crypto'

/** A UUID made from a text: version 8, variant 10, of our own making (RFC 9562). */
export function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
