import { ConflictError, isTaskError } from '@stepwright/errors'
import { type ByteSource, createIterableReader } from './byte-source.ts'

/** What is needed of an object store to read from it. */
export interface ObjectReader {
  head(key: string, options?: { signal?: AbortSignal | undefined }): Promise<{ size: number; etag: string }>
  get(
    key: string,
    options?: {
      range?: { offset: number; length?: number | undefined } | undefined
      ifMatch?: string | undefined
      signal?: AbortSignal | undefined
    },
  ): Promise<{ body: AsyncIterable<Uint8Array> }>
}

/** A source over an object; ranges are ranged requests. */
export function createObjectSource(store: ObjectReader, key: string): ByteSource {
  return {
    async facts(signal) {
      const { size, etag } = await store.head(key, { signal })
      return { size, etag }
    },
    async open({ offset = 0, length, etag, signal } = {}) {
      const whole = offset === 0 && length === undefined
      const range = whole ? undefined : { offset, length }
      try {
        const { body } = await store.get(key, { range, ifMatch: etag, signal })
        return createIterableReader(body, signal)
      } catch (error) {
        if (!isTaskError(error, ConflictError)) throw error
        throw new ConflictError(`the object ${key} has changed since it was split`, {
          code: 'SOURCE_CHANGED',
          details: { key },
          cause: error,
        })
      }
    },
  }
}
