import { describe, expect, it } from 'vitest'
import { createMemoryLockStore } from './memory.ts'
import { createPartitionLock } from './partition-lock.ts'
import { publishRun } from './publish.ts'

describe('options', () => {
  it.each<[string, (options: never) => unknown, object, string]>([
    ['createMemoryLockStore', createMemoryLockStore, { now: 0 }, 'now must be a function'],
    ['createPartitionLock', createPartitionLock, { lockSecond: 60 }, 'lockSecond does not exist; there are'],
    ['createPartitionLock', createPartitionLock, { lockSeconds: Number.NaN }, 'lockSeconds must be a number'],
    ['publishRun', publishRun, { replaces: true }, 'replaces does not exist; there are'],
    ['publishRun', publishRun, { replace: 'no' }, 'replace must be true or false'],
  ])('%s refuses what is impossible or does not exist', async (name, call, options, problem) => {
    const called = async () => call(options as never)
    await expect(called()).rejects.toThrow(TypeError)
    await expect(called()).rejects.toThrow(`options of ${name}: ${problem}`)
  })
})
