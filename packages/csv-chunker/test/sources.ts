import type { ByteSource } from '../src/source/byte-source.ts'

/** A source whose reads end where they are told to, wherever that is inside a record or a character. */
export function createRaggedSource(bytes: Buffer, cuts: readonly number[]): ByteSource {
  return {
    facts: async () => ({ size: bytes.length, etag: '"ragged"' }),
    async open({ offset = 0, length = bytes.length - offset } = {}) {
      const end = Math.min(bytes.length, offset + length)
      let at = offset
      return {
        async read(into) {
          const stop = Math.min(end, at + into.length, ...cuts.filter(cut => cut > at))
          const part = bytes.subarray(at, stop)
          into.set(part)
          at = stop
          return part.length
        },
        close: async () => {},
      }
    },
  }
}

export function everyOffset(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length }, (_, index) => index + 1)
}
