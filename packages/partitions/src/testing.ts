import { randomUUID } from 'node:crypto'
import { type TestRunner, testRunner } from '@stepwright/task/testing'
import * as z from 'zod/mini'
import { type JsonObjects, updateJson } from './json-objects.ts'
import { createPartitionLock, holdLock, type LockStore } from './partition-lock.ts'

const wholeNumber = z.int()

/** What conditional JSON objects must do, as a suite: `testJsonObjects('S3', async () => objects)`. */
export function testJsonObjects(
  name: string,
  start: () => Promise<JsonObjects>,
  { describe, it, expect }: TestRunner = testRunner,
): void {
  describe(`JSON objects: ${name}`, () => {
    const newKey = (): string => `contract-${randomUUID()}.json`

    it('reads what was stored, and nothing where there is none', async () => {
      const [objects, key] = [await start(), newKey()]
      expect(await objects.read(key, wholeNumber)).toBe(undefined)
      expect(await objects.replace(key, 1, undefined)).toBe(true)
      expect((await objects.read(key, wholeNumber))?.value).toBe(1)
    })

    it('replaces only the state that was read', async () => {
      const [objects, key] = [await start(), newKey()]
      await objects.replace(key, 1, undefined)
      expect(await objects.replace(key, 2, undefined)).toBe(false)
      const first = await objects.read(key, wholeNumber)
      expect(await objects.replace(key, 3, first)).toBe(true)
      expect(await objects.replace(key, 4, first)).toBe(false)
      expect((await objects.read(key, wholeNumber))?.value).toBe(3)
    })

    it('rejects an object that does not fit its schema', async () => {
      const [objects, key] = [await start(), newKey()]
      await objects.replace(key, 'secret', undefined)
      const failure: Error = await objects.read(key, wholeNumber).then(
        () => new Error('it was read'),
        error => error,
      )
      expect(failure.message === 'it was read' || failure.message.includes('secret')).toBe(false)
    })

    it('loses no change of many at the same time', async () => {
      const [objects, key] = [await start(), newKey()]
      const add = (): Promise<number> => updateJson(objects, key, wholeNumber, (count = 0) => count + 1)
      await Promise.all([add(), add(), add(), add()])
      expect((await objects.read(key, wholeNumber))?.value).toBe(4)
    })
  })
}

/** What the locks of partitions must do, as a suite: `testLockStore('DynamoDB', async () => store)`. */
export function testLockStore(
  name: string,
  start: () => Promise<LockStore>,
  { describe, it, expect }: TestRunner = testRunner,
): void {
  describe(`locks of partitions: ${name}`, () => {
    const open = async () => ({
      lock: createPartitionLock<string>({ store: await start(), lockSeconds: 60, keyOf: key => key }),
      key: `contract-${randomUUID()}/`,
    })

    it('gives a partition to one owner, and to that owner again', async () => {
      const { lock, key } = await open()
      expect(await lock.acquire(key, 'one')).toBe(true)
      expect(await lock.acquire(key, 'other')).toBe(false)
      expect(await lock.acquire(key, 'one')).toBe(true)
      expect(await lock.renew(key, 'other')).toBe(false)
      expect(await lock.renew(key, 'one')).toBe(true)
    })

    it('lets only its owner release it', async () => {
      const { lock, key } = await open()
      await lock.acquire(key, 'one')
      await lock.release(key, 'other')
      expect(await holdLock(lock, key, 'other')).toBe(false)
      await lock.release(key, 'one')
      expect(await lock.renew(key, 'one')).toBe(false)
      expect(await holdLock(lock, key, 'other')).toBe(true)
    })

    it('gives it to one of many that ask at the same time', async () => {
      const { lock, key } = await open()
      const tokens = ['a', 'b', 'c', 'd']
      const won = await Promise.all(tokens.map(token => lock.acquire(key, token)))
      expect(won.filter(Boolean).length).toBe(1)
    })
  })
}
