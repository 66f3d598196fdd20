import { fuzzOptions } from '@stepwright/bench/fuzz-options'
import { describe, it } from 'vitest'
import * as z from 'zod/mini'
import { createMemoryJsonObjects, createMemoryLockStore } from './memory.ts'
import { createPartitionLock } from './partition-lock.ts'
import { publishRun } from './publish.ts'

describe('whatever the options, they are refused or obeyed', { timeout: 600_000 }, () => {
  it.each([
    { name: 'createMemoryLockStore', call: createMemoryLockStore, options: { now: Date.now } },
    {
      name: 'createPartitionLock',
      call: createPartitionLock,
      options: { store: createMemoryLockStore(), lockSeconds: 60, keyOf: String },
    },
    {
      name: 'publishRun',
      call: publishRun,
      options: {
        objects: createMemoryJsonObjects(),
        manifestKey: 'manifest.json',
        schema: z.object({ prefix: z.string() }),
        prefix: 'runs/1/',
        replace: true,
        isOwner: async () => true,
        build: () => ({ prefix: 'runs/1/' }),
        signal: new AbortController().signal,
      },
    },
  ])('$name', fuzzOptions)
})
