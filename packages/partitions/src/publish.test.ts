import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { JsonObjects } from './json-objects.ts'
import { createMemoryJsonObjects, createMemoryLockStore } from './memory.ts'
import { createPartitionLock, holdLock } from './partition-lock.ts'
import { clearRuns, publishRun } from './publish.ts'

const schema = z.object({ prefix: z.string(), replaces: z.optional(z.string()), rows: z.int() })
type Manifest = z.infer<typeof schema>

function createWorld(objects: JsonObjects = createMemoryJsonObjects()) {
  const lock = createPartitionLock({ store: createMemoryLockStore(), lockSeconds: 60, keyOf: String })
  let built = 0
  return {
    objects,
    lock,
    built: () => built,
    manifest: async () => (await objects.read('manifest', schema))?.value,
    publish: (run: string, token: string, change: { replace?: boolean; rows?: number } = {}) =>
      publishRun<Manifest>({
        objects,
        isOwner: () => holdLock(lock, 'day', token),
        manifestKey: 'manifest',
        schema,
        prefix: `runs/${run}/`,
        replace: change.replace ?? false,
        build() {
          built += 1
          return { prefix: `runs/${run}/`, rows: change.rows ?? 1 }
        },
      }),
  }
}

describe('publishRun', () => {
  it('publishes once, and says the same the second time', async () => {
    const world = createWorld()
    const first = await world.publish('a', 'me')
    expect(first).toEqual({ state: 'published', manifest: { prefix: 'runs/a/', rows: 1 } })
    expect(await world.publish('a', 'me')).toEqual(first)
    expect(world.built()).toBe(1)
  })

  it('leaves the run of another in place, unless it is to be replaced', async () => {
    const world = createWorld()
    await world.publish('a', 'me')
    expect(await world.publish('b', 'me')).toMatchObject({ state: 'taken', manifest: { prefix: 'runs/a/' } })
    await world.publish('b', 'me', { replace: true, rows: 2 })
    expect(await world.manifest()).toEqual({ prefix: 'runs/b/', replaces: 'runs/a/', rows: 2 })
  })

  it('publishes nothing for an owner whose lock is another owner has', async () => {
    const world = createWorld()
    await world.lock.acquire('day', 'another')
    expect(await world.publish('a', 'me')).toEqual({ state: 'fenced' })
    expect(await world.manifest()).toBeUndefined()
  })

  it('does not replace a manifest that it has not seen', async () => {
    const objects = createMemoryJsonObjects()
    const overtaken: JsonObjects = {
      read: objects.read,
      async replace(key, value, before) {
        await objects.replace(key, { prefix: 'runs/foreign/', rows: 9 }, before)
        return objects.replace(key, value, before)
      },
    }
    const world = createWorld(overtaken)
    await expect(world.publish('a', 'me')).rejects.toMatchObject({ name: 'TemporaryError' })
    expect(await world.manifest()).toMatchObject({ prefix: 'runs/foreign/' })
  })
})

describe('clearRuns', () => {
  it('deletes all runs but those to keep', async () => {
    const deleted: string[] = []
    const keys = ['runs/a/1', 'runs/b/1', 'runs/c/1', 'runs/c/2']
    const files = {
      async *list() {
        for (const key of keys) yield { key }
      },
      deleteMany: async (gone: readonly string[]) => void deleted.push(...gone),
    }
    await clearRuns(files, 'runs/', ['runs/b/', undefined])
    expect(deleted).toEqual(['runs/a/1', 'runs/c/1', 'runs/c/2'])
  })
})
