import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createChunkReader, splitCsv, validateCsv } from '../src/tasks.ts'
import { createMemoryObjects, type MemoryObjects } from './memory-objects.ts'

/** Long enough for a tail of its own to be looked at, and as long as each other. */
const [fileA, fileB] = ['A', 'B'].map(letter => `id,name\n${`${letter}1,x\n`.repeat(40_000)}`) as [
  string,
  string,
]
const etagA = createHash('md5').update(fileA).digest('hex')

/** A store in which B replaces A just before the call with this number. */
function replacedBefore(call: number): MemoryObjects {
  let calls = 0
  const store = createMemoryObjects(() => {
    if (calls === call) store.objects.set('f.csv', Buffer.from(fileB))
    calls += 1
  })
  store.objects.set('f.csv', Buffer.from(fileA))
  return store
}

const replaced = { name: 'ValidationError', code: 'OBJECT_REPLACED', details: { key: 'f.csv' } }

describe('an object that is replaced', () => {
  it('validate and split ask for its facts once, and read it once', async () => {
    const whole = ['head f.csv', 'get f.csv', `get f.csv ${fileA.length - 16_384}-16384`]
    const store = replacedBefore(99)
    const ports = { storeOf: () => store }
    const answer = await validateCsv({ split: {} }).run({ key: 'f.csv', id: 'v' }, ports)
    expect(answer.manifest?.chunkCount).toBe(8)
    expect(store.calls).toEqual([...whole, 'put chunks/v/manifest.json'])
    store.calls.length = 0
    await splitCsv().run({ key: 'f.csv', id: 's' }, ports)
    expect(store.calls).toEqual(['get chunks/s/manifest.json', ...whole, 'put chunks/s/manifest.json'])
  })

  it('is refused by validate, whichever read comes too late, and no manifest is written', async () => {
    for (const announced of [{}, { etag: etagA }, { etag: `"${etagA}"` }]) {
      for (const call of [1, 2]) {
        const store = replacedBefore(call)
        const run = validateCsv({ split: {} }).run(
          { key: 'f.csv', id: 'x', ...announced },
          { storeOf: () => store },
        )
        await expect(run).rejects.toMatchObject(replaced)
        expect([...store.objects.keys()]).toEqual(['f.csv'])
      }
    }
  })

  it('is refused by split, whichever read comes too late', async () => {
    for (const call of [2, 3]) {
      const store = replacedBefore(call)
      const run = splitCsv().run({ key: 'f.csv', id: 'x' }, { storeOf: () => store })
      await expect(run).rejects.toMatchObject(replaced)
      expect([...store.objects.keys()]).toEqual(['f.csv'])
    }
  })

  it('is refused at the first look where another one was announced', async () => {
    for (const task of [validateCsv({ split: {} }), splitCsv()]) {
      const store = replacedBefore(0)
      const run = task.run({ key: 'f.csv', id: 'x', etag: etagA }, { storeOf: () => store })
      await expect(run).rejects.toMatchObject(replaced)
      expect(store.calls.at(-1)).toBe('head f.csv')
    }
  })

  it('is read in the version that was named, and that one alone', async () => {
    const asked: unknown[] = []
    const store = createMemoryObjects()
    store.objects.set('f.csv', Buffer.from('a\n1\n'))
    const versioned = {
      ...store,
      head: async (key: string, options?: object) => {
        asked.push(options)
        return { ...(await store.head(key)), versionId: 'v2' }
      },
      get: (key: string, options?: object) => {
        asked.push(options)
        return store.get(key, options)
      },
    }
    const ports = { storeOf: () => versioned }
    const { file } = await validateCsv().run({ key: 'f.csv', versionId: 'v2' }, ports)
    expect(file?.source).toMatchObject({ size: 4, versionId: 'v2' })
    expect(asked).toMatchObject([{ versionId: 'v2' }, { versionId: 'v2' }])
    await expect(validateCsv().run({ key: 'f.csv', versionId: 'v1' }, ports)).rejects.toMatchObject(replaced)
  })

  it('is refused by who reads its chunks', async () => {
    const store = createMemoryObjects()
    store.objects.set('f.csv', Buffer.from(fileA))
    const ports = { storeOf: () => store }
    const { file, chunks } = await splitCsv().run({ bucket: 'b', key: 'f.csv', id: 'x' }, ports)
    const [, chunk] = chunks
    if (!chunk) throw new Error('there is no second chunk')
    let rows = 0
    for await (const batch of createChunkReader(ports)({ file, chunk })) {
      if (rows === 0) expect([batch.firstRow, batch.rows[0]]).toEqual([5001, { id: 'A1', name: 'x' }])
      rows += batch.rows.length
    }
    expect(rows).toBe(5000)
    store.objects.set('f.csv', Buffer.from(fileB))
    const read = async (fileError?: 'CSVValidationError') => {
      const readChunk = createChunkReader({ ...ports, ...(fileError && { fileError }) })
      for await (const _ of readChunk({ file, chunk })) rows += 1
    }
    await expect(read()).rejects.toMatchObject({ name: 'ConflictError', code: 'SOURCE_CHANGED' })
    const blamed = { name: 'CSVValidationError', code: 'OBJECT_REPLACED' }
    await expect(read('CSVValidationError')).rejects.toMatchObject(blamed)
  })
})
