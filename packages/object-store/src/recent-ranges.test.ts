import { describe, expect, it } from 'vitest'
import { createMemoryObjectStore } from './memory-object-store.ts'
import { readText } from './read-body.ts'
import { withRecentRanges } from './recent-ranges.ts'

/** A store that counts what is read from it. */
async function createCounted(body: string) {
  const memory = createMemoryObjectStore()
  const { etag } = await memory.put('a', body)
  const counted = { reads: 0 }
  const store = withRecentRanges({
    ...memory,
    get(key, options) {
      counted.reads += 1
      return memory.get(key, options)
    },
  } satisfies typeof memory)
  const read = async (offset: number, length: number, ifMatch: string | undefined = etag): Promise<string> =>
    readText(await store.get('a', { range: { offset, length }, ifMatch }))
  return { memory, store, counted, etag, read }
}

describe('withRecentRanges', () => {
  it('reads a range of a version once for two readers, also when the object is gone', async () => {
    const { memory, counted, read } = await createCounted('0123456789')
    expect(await read(2, 3)).toBe('234')
    await memory.delete('a')
    expect(await read(2, 3)).toBe('234')
    expect(counted.reads).toBe(1)
    await expect(read(2, 3)).rejects.toMatchObject({ name: 'NotFoundError' })
  })

  it('tells ranges and versions apart, and keeps nothing of what may change', async () => {
    const { memory, store, counted, etag, read } = await createCounted('0123456789')
    await read(2, 3)
    expect(await read(2, 4)).toBe('2345')
    expect(await read(3, 3)).toBe('345')
    const { etag: other } = await memory.put('a', 'abcdefghij')
    expect(await read(2, 3, other)).toBe('cde')
    expect(counted.reads).toBe(4)
    for (const body of ['0', '1']) {
      await memory.put('a', body)
      expect(await readText(await store.get('a', { range: { offset: 0, length: 1 } }))).toBe(body)
    }
    expect(await read(2, 3, etag)).toBe('234')
  })

  it('keeps nothing that was not read to its end', async () => {
    const { store, counted, etag, read } = await createCounted('0123456789')
    const { body } = await store.get('a', { range: { offset: 0, length: 5 }, ifMatch: etag })
    for await (const _ of body) break
    expect(await read(0, 5)).toBe('01234')
    expect(counted.reads).toBe(2)
  })

  it('keeps a mebibyte, of what was read last', async () => {
    const { counted, read } = await createCounted('x'.repeat(3_000_000))
    for (const offset of [0, 1, 2]) await read(offset, 400_000)
    await read(1, 400_000)
    await read(2, 400_000)
    expect(counted.reads).toBe(3)
    await read(0, 400_000)
    expect(counted.reads).toBe(4)
    await read(0, 2_000_000)
    await read(0, 2_000_000)
    expect(counted.reads).toBe(6)
  })

  it('gives nothing to whom has been told to stop', async () => {
    const { store, etag, read } = await createCounted('0123456789')
    await read(0, 5)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(store.get('a', { range: { offset: 0, length: 5 }, ifMatch: etag, signal })).rejects.toThrow(
      'enough',
    )
  })
})
