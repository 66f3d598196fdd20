/** Bytes in order, read straight into memory that the caller owns. */
export interface ByteReader {
  /** Fills `into` from its start; the number of bytes, 0 at the end of the source and only there. */
  read(into: Uint8Array): Promise<number>
  close(): Promise<void>
}

export interface ByteSourceFacts {
  /** Undefined where it is only known at the end, as with compressed data. */
  readonly size: number | undefined
  /** Changes whenever the bytes do. */
  readonly etag: string | undefined
  /** Of an object whose version was named. */
  readonly versionId?: string | undefined
}

export interface OpenOptions {
  /** @default 0 */
  readonly offset?: number
  /** @default to the end */
  readonly length?: number
  /** Refuse to read if the source is no longer the one with this ETag. */
  readonly etag?: string | undefined
  /**
   * To read local files on the thread that scans them: where scanning takes no longer than reading, a thread that reads
   * ahead is at times slower than none (docs/fast/csv-chunker.md). @default false
   */
  readonly readsHere?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** Something with bytes that can be read in part. */
export interface ByteSource {
  facts(signal?: AbortSignal): Promise<ByteSourceFacts>
  open(options?: OpenOptions): Promise<ByteReader>
}

/** Reads until `into` is full or the source ends. */
export async function readFully(reader: ByteReader, into: Uint8Array): Promise<number> {
  let filled = 0
  while (filled < into.length) {
    const bytes = await reader.read(filled === 0 ? into : into.subarray(filled))
    if (bytes === 0) break
    filled += bytes
  }
  return filled
}

/** A source over bytes in memory. */
export function createBytesSource(bytes: Uint8Array, etag?: string): ByteSource {
  return {
    facts: async () => ({ size: bytes.length, etag }),
    async open({ offset = 0, length = bytes.length - offset, signal } = {}) {
      const end = Math.min(bytes.length, offset + length)
      let at = offset
      return {
        async read(into) {
          signal?.throwIfAborted()
          const part = bytes.subarray(at, Math.min(end, at + into.length))
          into.set(part)
          at += part.length
          return part.length
        },
        close: async () => {},
      }
    },
  }
}

/** A reader over what an iterable gives. Whatever does not fit is kept for the next read. */
export function createIterableReader(chunks: AsyncIterable<Uint8Array>, signal?: AbortSignal): ByteReader {
  const iterator = chunks[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  return {
    async read(into) {
      while (rest.length === 0) {
        signal?.throwIfAborted()
        const { done, value } = await iterator.next()
        if (done) return 0
        rest = value
      }
      const part = rest.subarray(0, into.length)
      into.set(part)
      rest = rest.subarray(part.length)
      return part.length
    },
    async close() {
      await iterator.return?.()
    },
  }
}

/** A reader that gives these bytes first. */
export function prepend(bytes: Buffer, reader: ByteReader): ByteReader {
  let rest = bytes
  return {
    async read(into) {
      if (rest.length === 0) return reader.read(into)
      const part = rest.subarray(0, into.length)
      into.set(part)
      rest = rest.subarray(part.length)
      return part.length
    },
    close: () => reader.close(),
  }
}

/** A reader that knows how far in the file it is. */
export function createCountingReader(reader: ByteReader, start: number): ByteReader & { position(): number } {
  let position = start
  return {
    async read(into) {
      const bytes = await reader.read(into)
      position += bytes
      return bytes
    },
    close: () => reader.close(),
    position: () => position,
  }
}
