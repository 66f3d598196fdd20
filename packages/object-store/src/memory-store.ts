import { createHash } from 'node:crypto'
import { ConflictError, NotFoundError } from '@stepwright/errors'
import { resolveRange } from './byte-range.ts'
import type { ListedObject, ObjectFacts, ObjectStore, PresignedRequest, PutOptions } from './object-store.ts'
import { readBytes } from './read-body.ts'

export interface MemoryStoreOptions {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** The answer to a presigned request. */
export interface MemoryResponse {
  readonly status: number
  readonly body: Uint8Array
}

export interface MemoryStore extends ObjectStore {
  /** Makes a presigned request, as an HTTP client would. */
  request(
    url: string,
    init: { method: string; headers?: Readonly<Record<string, string>>; body?: Uint8Array },
  ): Promise<MemoryResponse>
}

interface Entry extends ObjectFacts {
  readonly bytes: Buffer
}

/** An object store in memory, for tests. */
export function createMemoryStore({ now = Date.now }: MemoryStoreOptions = {}): MemoryStore {
  const entries = new Map<string, Entry>()

  const find = (key: string): Entry => {
    const entry = entries.get(key)
    if (!entry) throw new NotFoundError(`there is no object ${key}`, { details: { key } })
    return entry
  }
  const store = (key: string, bytes: Buffer, options: PutOptions): { etag: string } => {
    options.signal?.throwIfAborted()
    const existing = entries.get(key)
    if (options.ifNoneMatch === '*' && existing) throw conditionFailed(key, 'exists already')
    if (options.ifMatch !== undefined && existing?.etag !== options.ifMatch) {
      if (!existing) throw new NotFoundError(`there is no object ${key}`, { details: { key } })
      throw conditionFailed(key, 'has changed')
    }
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
    const contentType = options.contentType ?? 'application/octet-stream'
    entries.set(key, { bytes, size: bytes.length, etag, contentType, lastModified: new Date(now()) })
    return { etag }
  }
  const presign = (
    method: 'GET' | 'PUT',
    key: string,
    headers: Record<string, string>,
    expiresInSeconds = 900,
  ): PresignedRequest => {
    const expires = now() + expiresInSeconds * 1000
    const query = new URLSearchParams({ method, expires: String(expires), ...headers })
    const url = `memory://objects/${encodeURIComponent(key)}?${query}`
    return { url, method, headers, expiresAt: new Date(expires) }
  }

  return {
    async head(key, { signal } = {}) {
      signal?.throwIfAborted()
      const { bytes: _, ...facts } = find(key)
      return facts
    },
    async get(key, { range, ifMatch, signal } = {}) {
      signal?.throwIfAborted()
      const { bytes, ...facts } = find(key)
      if (ifMatch !== undefined && ifMatch !== facts.etag) throw conditionFailed(key, 'has changed')
      const [start, end] = range ? resolveRange(range, bytes.length, key) : [0, bytes.length]
      return { ...facts, body: pieces(bytes.subarray(start, end), signal) }
    },
    async put(key, body, options = {}) {
      return store(key, Buffer.from(body as Uint8Array), options)
    },
    async upload(key, body, options = {}) {
      return store(key, await readBytes({ body: abortable(body, options.signal) }), options)
    },
    async *list(prefix = '', { signal } = {}): AsyncGenerator<ListedObject> {
      const keys = [...entries.keys()].filter(key => key.startsWith(prefix))
      for (const key of keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
        signal?.throwIfAborted()
        const entry = entries.get(key)
        if (!entry) continue
        const { size, etag, lastModified } = entry
        yield { key, size, etag, lastModified }
      }
    },
    async delete(key, { signal } = {}) {
      signal?.throwIfAborted()
      entries.delete(key)
    },
    async presignPut(key, { contentType, contentLength, expiresInSeconds }) {
      const headers = {
        'content-type': contentType,
        ...(contentLength !== undefined && { 'content-length': String(contentLength) }),
      }
      return presign('PUT', key, headers, expiresInSeconds)
    },
    async presignGet(key, { expiresInSeconds } = {}) {
      return presign('GET', key, {}, expiresInSeconds)
    },
    async request(url, { method, headers = {}, body = new Uint8Array() }) {
      const { pathname, searchParams } = new URL(url)
      const { method: signed, expires, ...bound } = Object.fromEntries(searchParams)
      const sent = { ...headers, ...(method === 'PUT' && { 'content-length': String(body.length) }) }
      const kept = Object.entries(bound).every(
        ([name, value]) => new Map(Object.entries(sent)).get(name) === value,
      )
      if (method !== signed || now() > Number(expires) || !kept)
        return { status: 403, body: new Uint8Array() }
      const key = decodeURIComponent(pathname.slice(1))
      if (method === 'PUT') {
        store(key, Buffer.from(body), { contentType: headers['content-type'] })
        return { status: 200, body: new Uint8Array() }
      }
      const entry = entries.get(key)
      return entry ? { status: 200, body: entry.bytes } : { status: 404, body: new Uint8Array() }
    },
  }
}

function conditionFailed(key: string, what: string): ConflictError {
  return new ConflictError(`the object ${key} ${what}`, { code: 'PRECONDITION_FAILED', details: { key } })
}

const pieceBytes = 64 * 1024

async function* pieces(bytes: Buffer, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    signal?.throwIfAborted()
    yield Uint8Array.from(bytes.subarray(at, at + pieceBytes))
  }
}

async function* abortable(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    signal?.throwIfAborted()
    yield chunk
  }
}
