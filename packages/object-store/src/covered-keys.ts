import { coversKey } from '@stepwright/app/bindings'
import { UnexpectedError } from '@stepwright/errors'
import type { ObjectStore } from './object-store.ts'

type Verb = 'read' | 'write' | 'delete'

/** The same store, whose calls are rejected where no right covers the key. */
export function assertCovered(store: ObjectStore, bucket: string, rights: readonly string[]): ObjectStore {
  const check = (verb: Verb, key: string): void => {
    if (coversKey(rights, verb, key)) return
    const folder = key.includes('/') ? `${key.slice(0, key.indexOf('/'))}/*` : '*'
    throw new UnexpectedError(
      `the binding of the bucket ${bucket} does not allow to ${verb} ${folder}; add the right '${verb} ${folder}'`,
    )
  }
  return {
    async head(key, options) {
      check('read', key)
      return store.head(key, options)
    },
    async get(key, options) {
      check('read', key)
      return store.get(key, options)
    },
    async put(key, body, options) {
      check('write', key)
      return store.put(key, body, options)
    },
    async upload(key, body, options) {
      check('write', key)
      return store.upload(key, body, options)
    },
    list: (prefix, options) => store.list(prefix, options),
    async delete(key, options) {
      check('delete', key)
      return store.delete(key, options)
    },
    async deleteMany(keys, options) {
      for (const key of keys) check('delete', key)
      return store.deleteMany(keys, options)
    },
    async presignPut(key, options) {
      check('write', key)
      return store.presignPut(key, options)
    },
    async presignGet(key, options) {
      check('read', key)
      return store.presignGet(key, options)
    },
  }
}
