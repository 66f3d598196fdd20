import { expect, it } from 'vitest'
import { createMemoryStore } from './memory-store.ts'
import { testObjectStore } from './testing.ts'

testObjectStore('memory', async () => {
  const store = createMemoryStore()
  return {
    store,
    request: ({ url, method, headers }, body) =>
      store.request(url, { method, headers, ...(body && { body }) }),
  }
})

it('ends a presigned request when its time is over', async () => {
  let now = 1_000_000
  const store = createMemoryStore({ now: () => now })
  await store.put('key', 'x')
  const { url, expiresAt } = await store.presignGet('key', { expiresInSeconds: 60 })
  expect(expiresAt.getTime()).toBe(1_060_000)
  now = 1_060_000
  expect((await store.request(url, { method: 'GET' })).status).toBe(200)
  now = 1_060_001
  expect((await store.request(url, { method: 'GET' })).status).toBe(403)
})
