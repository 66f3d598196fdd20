import { createHash } from 'node:crypto'
import { ConflictError, NotFoundError } from '@stepwright/errors'
import { aBoolean, aFunction, assertOptions } from '@stepwright/errors/options'
import { resolveRange } from './byte-range.ts'
import { requireExpiry, requireKey } from './call-rules.ts'
import type {
  ListedObject,
  ObjectFacts,
  ObjectStore,
  PresignedRequest,
  PutOptions,
  PutResult,
  ReadOptions,
} from './object-store.ts'
import { readBytes } from './read-body.ts'

export interface MemoryObjectStoreOptions {
  /** Whether what was replaced or deleted can still be read by its `versionId`. @default false */
  readonly versioned?: boolean
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** The answer to a presigned request. */
export interface MemoryResponse {
  readonly status: number
  readonly body: Uint8Array
}

export interface MemoryObjectStore extends ObjectStore {
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
export function createMemoryObjectStore(options: MemoryObjectStoreOptions = {}): MemoryObjectStore {
  assertOptions('createMemoryObjectStore', options, { versioned: aBoolean, now: aFunction })
  const { versioned = false, now = Date.now } = options
  const entries = new Map<string, Entry>()
  const versions = new Map<string, Entry>()

  const find = (key: string, { ifMatch, versionId, signal }: ReadOptions): Entry => {
    requireKey(key)
    signal?.throwIfAborted()
    const entry = versionId === undefined ? entries.get(key) : versions.get(`${versionId} ${key}`)
    if (!entry) throw new NotFoundError(`there is no object ${key}`, { details: { key } })
    if (ifMatch !== undefined && ifMatch !== entry.etag) throw conditionFailed(key, 'has changed')
    return entry
  }
  const store = (key: string, bytes: Buffer, options: PutOptions): PutResult => {
    requireKey(key)
    options.signal?.throwIfAborted()
    const existing = entries.get(key)
    if (options.ifNoneMatch === '*' && existing) throw conditionFailed(key, 'exists already')
    if (options.ifMatch !== undefined && existing?.etag !== options.ifMatch) {
      if (!existing) throw new NotFoundError(`there is no object ${key}`, { details: { key } })
      throw conditionFailed(key, 'has changed')
    }
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
    const contentType = options.contentType ?? 'application/octet-stream'
    const version = versioned ? { versionId: `v${versions.size + 1}` } : {}
    const facts = { size: bytes.length, etag, contentType, lastModified: new Date(now()), ...version }
    entries.set(key, { bytes, ...facts })
    if (versioned) versions.set(`${version.versionId} ${key}`, { bytes, ...facts })
    return { etag, ...version }
  }
  const presign = (
    method: 'GET' | 'PUT',
    key: string,
    headers: Record<string, string>,
    expiresInSeconds = 900,
  ): PresignedRequest => {
    requireKey(key)
    const expires = now() + requireExpiry(expiresInSeconds) * 1000
    const query = new URLSearchParams({ method, expires: String(expires), ...headers })
    const url = `memory://objects/${encodeURIComponent(key)}?${query}`
    return { url, method, headers, expiresAt: new Date(expires) }
  }

  return {
    async head(key, given = {}) {
      const { bytes: _, ...facts } = find(key, given)
      return facts
    },
    async get(key, { range, ...given } = {}) {
      const { bytes, ...facts } = find(key, given)
      const [start, end] = range ? resolveRange(range, bytes.length, key) : [0, bytes.length]
      return { ...facts, body: pieces(bytes.subarray(start, end), given.signal) }
    },
    async put(key, body, options = {}) {
      return store(key, Buffer.from(body as Uint8Array), options)
    },
    async upload(key, body, options = {}) {
      requireKey(key)
      return store(key, await readBytes({ body: abortable(body, options.signal) }), options)
    },
    async *list(prefix = '', { startAfter = '', signal } = {}): AsyncGenerator<ListedObject> {
      const keys = [...entries.keys()].filter(key => key.startsWith(prefix) && byBytes(key, startAfter) > 0)
      for (const key of keys.toSorted(byBytes)) {
        signal?.throwIfAborted()
        const entry = entries.get(key)
        if (!entry) continue
        const { size, etag, lastModified } = entry
        yield { key, size, etag, lastModified }
      }
    },
    async delete(key, { signal } = {}) {
      requireKey(key)
      signal?.throwIfAborted()
      entries.delete(key)
    },
    async deleteMany(keys, { signal } = {}) {
      for (const key of keys) requireKey(key)
      signal?.throwIfAborted()
      for (const key of keys) entries.delete(key)
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

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
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
