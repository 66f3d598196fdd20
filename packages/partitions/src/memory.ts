import { randomUUID } from 'node:crypto'
import { DataValidationError } from '@stepwright/errors'
import { aFunction, assertOptions } from '@stepwright/errors/options'
import type { JsonObjects } from './json-objects.ts'
import type { LockStore } from './partition-lock.ts'

/** Objects in memory, for tests. */
export function createMemoryJsonObjects(): JsonObjects {
  const objects = new Map<string, { readonly text: string; readonly etag: string }>()
  return {
    async read(key, schema) {
      const found = objects.get(key)
      if (found === undefined) return undefined
      const result = await schema['~standard'].validate(JSON.parse(found.text))
      if (result.issues === undefined) return { value: result.value, etag: found.etag }
      throw new DataValidationError(`the object ${key} is not what its schema says`, { code: 'JSON_OBJECT' })
    },
    async replace(key, value, before) {
      if (objects.get(key)?.etag !== before?.etag) return false
      objects.set(key, { text: JSON.stringify(value), etag: randomUUID() })
      return true
    },
  }
}

export interface MemoryLockOptions {
  /** @default Date.now */
  readonly now?: () => number
}

/** Locks in memory, for tests. */
export function createMemoryLockStore(options: MemoryLockOptions = {}): LockStore {
  assertOptions('createMemoryLockStore', options, { now: aFunction })
  const { now = Date.now } = options
  const locks = new Map<string, { readonly token: string; readonly until: number }>()
  const holder = (key: string): string | undefined => {
    const lock = locks.get(key)
    return lock !== undefined && lock.until > now() ? lock.token : undefined
  }
  return {
    async acquire({ key, token, lockMs }) {
      const held = holder(key)
      if (held !== undefined && held !== token) return { state: 'held' }
      locks.set(key, { token, until: now() + lockMs })
      return { state: 'acquired' }
    },
    async renew({ key, token }, { lockMs }) {
      if (holder(key) !== token) return false
      locks.set(key, { token, until: now() + lockMs })
      return true
    },
    async release({ key, token }) {
      if (locks.get(key)?.token === token) locks.delete(key)
    },
  }
}
