import { createHash } from 'node:crypto'
import { ConflictError, NotFoundError } from '@stepwright/errors'
import type { CsvStore } from '../src/tasks/csv-store.ts'

/** As much of an object store as the tasks need. */
export function createMemoryObjects(): CsvStore & { readonly objects: Map<string, Buffer> } {
  const objects = new Map<string, Buffer>()
  const find = (key: string): { bytes: Buffer; etag: string } => {
    const bytes = objects.get(key)
    if (!bytes) throw new NotFoundError(`there is no object ${key}`)
    return { bytes, etag: `"${createHash('md5').update(bytes).digest('hex')}"` }
  }
  return {
    objects,
    async head(key) {
      const { bytes, etag } = find(key)
      return { size: bytes.length, etag }
    },
    async get(key, { range, ifMatch } = {}) {
      const { bytes, etag } = find(key)
      if (ifMatch !== undefined && ifMatch !== etag) throw new ConflictError(`${key} has changed`)
      const { offset = 0, length = bytes.length } = range ?? {}
      return { body: pieces(bytes.subarray(offset, offset + length)) }
    },
    async put(key, body, { ifNoneMatch } = {}) {
      if (ifNoneMatch === '*' && objects.has(key)) throw new ConflictError(`${key} exists`)
      objects.set(key, Buffer.from(body as Uint8Array))
    },
  }
}

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield Uint8Array.from(bytes.subarray(at, at + 1000))
}
