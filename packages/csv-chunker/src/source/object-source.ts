import { ConflictError, isTaskError } from '@stepwright/errors'
import { type ByteSource, createIterableReader } from './byte-source.ts'

/** What is needed of an object store to read from it. */
export interface ObjectReader {
  head(
    key: string,
    options?: { versionId?: string | undefined; signal?: AbortSignal | undefined },
  ): Promise<{ size: number; etag: string; versionId?: string | undefined }>
  get(
    key: string,
    options?: {
      range?: { offset: number; length?: number | undefined } | undefined
      ifMatch?: string | undefined
      versionId?: string | undefined
      signal?: AbortSignal | undefined
    },
  ): Promise<{ body: AsyncIterable<Uint8Array> }>
}

/** The version of an object that is meant, as far as it is known. */
export interface ObjectVersion {
  /** Quoted or not, as headers or events have it. */
  readonly etag?: string | undefined
  /** Of a bucket with versioning: reads give this one, even after it was replaced. */
  readonly versionId?: string | undefined
}

/** A source over an object, or over one version of it; ranges are ranged requests. */
export function createObjectSource(
  store: ObjectReader,
  key: string,
  { etag: meant, versionId }: ObjectVersion = {},
): ByteSource {
  return {
    async facts(signal) {
      const found = await store.head(key, { versionId, signal })
      const otherEtag = meant !== undefined && unquoted(meant) !== unquoted(found.etag)
      const otherVersion = versionId !== undefined && (found.versionId ?? versionId) !== versionId
      if (otherEtag || otherVersion) throw replaced(key)
      return { size: found.size, etag: found.etag, versionId }
    },
    async open({ offset = 0, length, etag, signal } = {}) {
      const whole = offset === 0 && length === undefined
      const range = whole ? undefined : { offset, length }
      try {
        const { body } = await store.get(key, { range, ifMatch: etag ?? quoted(meant), versionId, signal })
        return createIterableReader(body, signal)
      } catch (error) {
        throw isTaskError(error, ConflictError) ? replaced(key, error) : error
      }
    },
  }
}

function unquoted(etag: string): string {
  return etag.replaceAll('"', '')
}

function quoted(etag: string | undefined): string | undefined {
  return etag === undefined ? undefined : `"${unquoted(etag)}"`
}

function replaced(key: string, cause?: unknown): ConflictError {
  return new ConflictError(`the object ${key} was replaced by another version`, {
    code: 'SOURCE_CHANGED',
    details: { key },
    cause,
  })
}
