import { createHash } from 'node:crypto'
import { ConflictError, NotFoundError } from '@stepwright/errors'
import type { CsvStore } from '../src/tasks/csv-store.ts'

export interface MemoryObjects extends CsvStore {
  readonly objects: Map<string, Buffer>
  /** What was asked for, in order: `head a.csv`, `get a.csv 0-`. */
  readonly calls: string[]
}

/** As much of an object store as the tasks need; `before` is called before each call is answered. */
export function createMemoryObjects(before: (call: string) => void = () => {}): MemoryObjects {
  const objects = new Map<string, Buffer>()
  const calls: string[] = []
  const called = (call: string): void => {
    before(call)
    calls.push(call)
  }
  const find = (key: string): { bytes: Buffer; etag: string } => {
    const bytes = objects.get(key)
    if (!bytes) throw new NotFoundError(`there is no object ${key}`)
    return { bytes, etag: `"${createHash('md5').update(bytes).digest('hex')}"` }
  }
  return {
    objects,
    calls,
    async head(key) {
      called(`head ${key}`)
      const { bytes, etag } = find(key)
      return { size: bytes.length, etag }
    },
    async get(key, { range, ifMatch } = {}) {
      called(`get ${key}${range ? ` ${range.offset}-${range.length ?? ''}` : ''}`)
      const { bytes, etag } = find(key)
      if (ifMatch !== undefined && ifMatch !== etag) throw new ConflictError(`${key} has changed`)
      const { offset = 0, length = bytes.length } = range ?? {}
      return { body: pieces(bytes.subarray(offset, offset + length)) }
    },
    async put(key, body, { ifNoneMatch } = {}) {
      called(`put ${key}`)
      if (ifNoneMatch === '*' && objects.has(key)) throw new ConflictError(`${key} exists`)
      objects.set(key, Buffer.from(body as Uint8Array))
    },
  }
}

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield Uint8Array.from(bytes.subarray(at, at + 1000))
}
