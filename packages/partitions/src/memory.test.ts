import { describe, expect, it } from 'vitest'
import { createMemoryJsonObjects, createMemoryLockStore } from './memory.ts'
import { createPartitionLock, holdLock } from './partition-lock.ts'
import { testJsonObjects, testLockStore } from './testing.ts'

testJsonObjects('memory', async () => createMemoryJsonObjects())
testLockStore('memory', async () => createMemoryLockStore())

describe('createPartitionLock', () => {
  it('gives an expired lock to whoever asks first, and back to its owner if nobody does', async () => {
    let time = 0
    const lock = createPartitionLock({
      store: createMemoryLockStore({ now: () => time }),
      lockSeconds: 10,
      keyOf: String,
    })
    await lock.acquire('a', 'one')
    time = 10_001
    expect(await lock.renew('a', 'one')).toBe(false)
    expect(await holdLock(lock, 'a', 'one')).toBe(true)
    time = 30_000
    expect(await holdLock(lock, 'a', 'other')).toBe(true)
    expect(await holdLock(lock, 'a', 'one')).toBe(false)
  })

  it('needs a duration', () => {
    expect(() =>
      createPartitionLock({ store: createMemoryLockStore(), lockSeconds: 0, keyOf: String }),
    ).toThrow(TypeError)
  })
})
