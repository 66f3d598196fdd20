/** Buffers that the server has taken in: new ones for every batch would cost a garbage collection every few. */
export interface SpareBuffers {
  /** A buffer of at least so many bytes, with anything in it. */
  take(bytes: number): Buffer
  /** Nobody may use what this is a view of any more. */
  give(view: Buffer): void
}

const maxBytes = 8 * 1024 * 1024

export function createSpareBuffers(): SpareBuffers {
  const spare: Buffer[] = []
  let spareBytes = 0
  return {
    take(bytes) {
      const at = spare.findLastIndex(buffer => buffer.length >= bytes)
      const [buffer] = at < 0 ? [] : spare.splice(at, 1)
      if (!buffer) return Buffer.allocUnsafeSlow(bytes)
      spareBytes -= buffer.length
      return buffer
    },
    give(view) {
      const buffer = Buffer.from(view.buffer)
      if (spareBytes + buffer.length > maxBytes) return
      spareBytes += buffer.length
      spare.push(buffer)
    },
  }
}
