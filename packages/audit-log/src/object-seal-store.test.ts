import { ConflictError, NotFoundError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { createAuditLog } from './audit-log.ts'
import { createMemoryAuditStore } from './memory-audit-store.ts'
import { createObjectSealStore, type SealObjects } from './object-seal-store.ts'
import { keys, success } from './test/audit-trail.ts'
import { testSealStore } from './testing.ts'

/** An object store with just what seals need, as S3 does it. */
function createObjects(): SealObjects & { readonly objects: Map<string, string> } {
  const objects = new Map<string, string>()
  return {
    objects,
    async put(key, body) {
      if (objects.has(key)) throw new ConflictError(`the object ${key} exists already`)
      objects.set(key, body)
    },
    async get(key) {
      const text = objects.get(key)
      if (text === undefined) throw new NotFoundError(`there is no object ${key}`)
      return {
        body: (async function* () {
          yield Buffer.from(text)
        })(),
      }
    },
  }
}

testSealStore('createObjectSealStore', async () => createObjectSealStore({ store: createObjects() }))

describe('a trail whose seals are kept elsewhere', () => {
  it('is not verified by a seal beside its entries', async () => {
    const store = createMemoryAuditStore()
    const bucket = createObjects()
    const seals = createObjectSealStore({ store: bucket })
    const writer = createAuditLog({ store, keys })
    const sealer = createAuditLog({ store, keys, seals })
    await writer.append(success(0))
    await writer.seal('run')
    expect(await sealer.verify('run')).toMatchObject({ ok: false, problem: { kind: 'unsealed' } })
    await sealer.seal('run')
    expect([...bucket.objects.keys()]).toEqual(['audit-seals/run.json'])
    expect(await sealer.verify('run')).toMatchObject({ ok: true, entries: 1 })
  })

  it('is not sealed by what is not stored', async () => {
    const bucket = createObjects()
    const seals = createObjectSealStore({
      store: { ...bucket, put: () => Promise.reject(new ConflictError('there is one')) },
    })
    const log = createAuditLog({ store: createMemoryAuditStore(), keys, seals })
    await log.append(success(0))
    await expect(log.seal('run')).rejects.toThrow('there is one')
  })

  it('finds that its seal is no longer one', async () => {
    const bucket = createObjects()
    const seals = createObjectSealStore({ store: bucket })
    const log = createAuditLog({ store: createMemoryAuditStore(), keys, seals })
    await log.append(success(0))
    await log.seal('run')
    for (const text of ['', '{}', 'null', '[', '{"chains":null}', '{"chains":[null]}', '{"chains":[5]}']) {
      bucket.objects.set('audit-seals/run.json', text)
      expect(await log.verify('run')).toMatchObject({
        ok: false,
        problem: { kind: 'changed', record: 'seal' },
      })
    }
  })
})
