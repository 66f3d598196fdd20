/** A checksum of what has come so far. */
export interface RunningChecksum {
  update(data: Buffer): void
  digest(): Buffer
}
