import { createMemoryIdempotencyStore } from '@stepwright/idempotency/memory'
import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import { testJsonObjects, testLockStore } from '@stepwright/partitions/testing'
import { toJsonObjects } from './json-objects.ts'

// What the app binds the ports of partitions to.
testJsonObjects('an object store', async () => toJsonObjects(createMemoryObjectStore()))
testLockStore('an idempotency store', async () => createMemoryIdempotencyStore())
