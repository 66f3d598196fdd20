import { describe, expect, it } from 'vitest'
import { readChunk } from '../src/read/read-rows.ts'
import { createObjectSource } from '../src/source/object-source.ts'
import { readManifest, splitCsv, validateCsv } from '../src/tasks.ts'
import { createMemoryObjects } from './memory-objects.ts'

const csv = `email,name\n${Array.from({ length: 12_345 }, (_, row) => `user${row}@example.jp,佐藤`).join('\n')}\n`

function given(files: Record<string, string>) {
  const store = createMemoryObjects()
  for (const [key, text] of Object.entries(files)) store.objects.set(key, Buffer.from(text))
  return { store, ports: { storeOf: () => store } }
}

describe('the task validateCsv', () => {
  it('answers what ValidateCSVFile answers', async () => {
    const { ports } = given({ 'uploads/1.csv': csv })
    const task = validateCsv({ expectedColumns: ['email', 'name'], uniqueColumn: 'email' })
    expect(await task.run({ bucket: 'b', key: 'uploads/1.csv' }, ports)).toMatchObject({
      isValid: true,
      rowCount: 12_345,
      columnCount: 2,
      encoding: 'UTF-8',
      statistics: { fileSizeBytes: Buffer.byteLength(csv), validationErrors: [] },
    })
  })

  it('answers or throws for an invalid file, as it is told', async () => {
    const { ports } = given({ 'bad.csv': 'email,name\nx\n' })
    expect(await validateCsv().run({ key: 'bad.csv' }, ports)).toMatchObject({ isValid: false })
    await expect(validateCsv({ onInvalid: 'throw' }).run({ key: 'bad.csv' }, ports)).rejects.toMatchObject({
      name: 'ValidationError',
      code: 'COLUMN_COUNT',
      details: { problems: [{ row: 1 }] },
    })
  })

  it('refuses a file that is not there, and an input that is none', async () => {
    const { ports } = given({})
    await expect(validateCsv().run({ key: 'none.csv' }, ports)).rejects.toMatchObject({
      name: 'ValidationError',
      code: 'OBJECT_NOT_FOUND',
    })
    await expect(validateCsv().run({ key: '' }, ports)).rejects.toMatchObject({ name: 'DataValidationError' })
  })
})

describe('the task splitCsv', () => {
  it('splits into ranges that its manifest reads back', async () => {
    const { ports, store } = given({ 'uploads/1.csv': csv })
    const { manifestKey, chunks, rowCount } = await splitCsv().run({ key: 'uploads/1.csv', id: 'c7' }, ports)
    expect([manifestKey, rowCount, chunks.length]).toEqual(['chunks/c7/manifest.json', 12_345, 3])
    const manifest = await readManifest(store, manifestKey)
    if (!manifest) throw new Error('the manifest is missing')
    let rows = 0
    for (const chunk of manifest.chunks) {
      for await (const batch of readChunk(createObjectSource(store, 'uploads/1.csv'), manifest, chunk)) {
        expect(batch.rows[0]).toEqual({ email: `user${batch.firstRow - 1}@example.jp`, name: '佐藤' })
        rows += batch.rows.length
      }
    }
    expect(rows).toBe(12_345)
  })

  it('splits into objects', async () => {
    const { ports, store } = given({ 'uploads/1.csv': csv })
    const task = splitCsv({ chunksAs: 'objects' })
    const { chunks } = await task.run({ key: 'uploads/1.csv', id: 'c7' }, ports)
    expect(chunks.map(({ key }) => key)).toEqual([0, 1, 2].map(index => `chunks/c7/chunk_00${index}.csv`))
    for (const { key } of chunks) expect(store.objects.has(key as string)).toBe(true)
  })

  it('never partitions again: a retry, even with other options, gives the same chunks', async () => {
    const { ports } = given({ 'a.csv': csv })
    const first = await splitCsv({ rowsPerChunk: 1000 }).run({ key: 'a.csv', id: 'x' }, ports)
    const again = await splitCsv({ rowsPerChunk: 777 }).run({ key: 'a.csv', id: 'x' }, ports)
    expect(again).toEqual(first)
    const race = given({ 'a.csv': csv })
    const [one, other] = await Promise.all(
      [1000, 777].map(rowsPerChunk => splitCsv({ rowsPerChunk }).run({ key: 'a.csv', id: 'x' }, race.ports)),
    )
    expect(one).toEqual(other)
  })

  it('refuses another file under the same id, and a chunk of a file that has changed', async () => {
    const { ports, store } = given({ 'a.csv': csv })
    const { manifestKey } = await splitCsv().run({ key: 'a.csv', id: 'x' }, ports)
    store.objects.set('a.csv', Buffer.from('email,name\nother,file\n'))
    const changed = { name: 'ConflictError', code: 'SOURCE_CHANGED' }
    await expect(splitCsv().run({ key: 'a.csv', id: 'x' }, ports)).rejects.toMatchObject(changed)
    const manifest = await readManifest(store, manifestKey)
    if (!manifest?.chunks[0]) throw new Error('the manifest is missing')
    const rows = readChunk(createObjectSource(store, 'a.csv'), manifest, manifest.chunks[0])
    await expect(rows.next()).rejects.toMatchObject(changed)
  })

  it('throws CSVValidationError for a file that is no CSV, and writes no manifest', async () => {
    const { ports, store } = given({ 'bad.csv': 'a,b\n1,x"y\n' })
    await expect(splitCsv().run({ key: 'bad.csv', id: 'x' }, ports)).rejects.toMatchObject({
      name: 'CSVValidationError',
      code: 'STRAY_QUOTE',
      details: { row: 1, column: 'b', byteOffset: 7 },
    })
    expect([...store.objects.keys()]).toEqual(['bad.csv'])
    await expect(splitCsv().run({ key: 'none.csv', id: 'x' }, ports)).rejects.toMatchObject({
      name: 'NotFoundError',
    })
  })
})
