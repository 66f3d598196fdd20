import { createHash } from 'node:crypto'
import { TaskFailure } from '../task/ports.ts'
import type { ObjectStorePort } from './object-store.ts'

export interface MemoryObjects extends ObjectStorePort {
  /** The text of an object, `undefined` if there is none. */
  readonly read: (bucket: string, key: string) => string | undefined
}

/** Objects in memory, for tests of Distributed Maps. */
export function createMemoryObjects(
  objects: Iterable<{ readonly bucket: string; readonly key: string; readonly body: string }> = [],
): MemoryObjects {
  const stored = new Map<string, string>()
  const address = (bucket: string, key: string): string => `${bucket}/${key}`
  for (const { bucket, key, body } of objects) stored.set(address(bucket, key), body)
  return {
    get: async function* get(bucket, key) {
      const body = stored.get(address(bucket, key))
      if (body === undefined)
        throw new TaskFailure('S3.NoSuchKeyException', 'The specified key does not exist.')
      yield Buffer.from(body, 'utf8')
    },
    list: async function* list(bucket, prefix = '') {
      for (const [place, body] of [...stored].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const key = place.slice(bucket.length + 1)
        if (!place.startsWith(`${bucket}/`) || !key.startsWith(prefix)) continue
        yield { key, size: Buffer.byteLength(body), etag: etagOf(body), lastModified: new Date(0) }
      }
    },
    put: async (bucket, key, bytes) => {
      const body = Buffer.from(bytes).toString('utf8')
      stored.set(address(bucket, key), body)
      return { etag: etagOf(body) }
    },
    read: (bucket, key) => stored.get(address(bucket, key)),
  }
}

function etagOf(body: string): string {
  return `"${createHash('md5').update(body).digest('hex')}"`
}
