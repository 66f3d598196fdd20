import { expect, it } from 'vitest'
import { createMemoryObjectStore } from './memory-object-store.ts'
import { testObjectStore } from './testing.ts'

for (const versioned of [false, true]) {
  testObjectStore(versioned ? 'memory with versions' : 'memory', async () => {
    const store = createMemoryObjectStore({ versioned })
    return {
      store,
      request: ({ url, method, headers }, body) =>
        store.request(url, { method, headers, ...(body && { body }) }),
    }
  })
}

it('ends a presigned request when its time is over', async () => {
  let now = 1_000_000
  const store = createMemoryObjectStore({ now: () => now })
  await store.put('key', 'x')
  const { url, expiresAt } = await store.presignGet('key', { expiresInSeconds: 60 })
  expect(expiresAt.getTime()).toBe(1_060_000)
  now = 1_060_000
  expect((await store.request(url, { method: 'GET' })).status).toBe(200)
  now = 1_060_001
  expect((await store.request(url, { method: 'GET' })).status).toBe(403)
})

it('refuses options that do not exist', () => {
  expect(() => createMemoryObjectStore({ version: true } as object)).toThrow('version does not exist')
})
