import { CSVValidationError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { readChunk } from '../src/read/read-rows.ts'
import { createObjectSource } from '../src/source/object-source.ts'
import { csvTaskErrors, readManifest, splitCsv, validateCsv } from '../src/tasks.ts'
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
    const task = validateCsv({ expectedColumns: ['email', 'name'] })
    expect(await task.run({ bucket: 'b', key: 'uploads/1.csv' }, ports)).toMatchObject({
      isValid: true,
      rowCount: 12_345,
      columnCount: 2,
      encoding: 'UTF-8',
      statistics: { fileSizeBytes: Buffer.byteLength(csv), validationErrors: [] },
    })
  })

  it('takes what its caller has, such as an event, and names the split that it made', async () => {
    const { ports, store } = given({ 'uploads/1.csv': csv })
    const task = validateCsv({
      input: z.object({ detail: z.object({ object: z.object({ key: z.string(), etag: z.string() }) }) }),
      target: ({ detail: { object } }) => ({ key: object.key, id: `of-${object.etag}` }),
      split: { rowsPerChunk: 5000 },
    })
    const event = { detail: { object: { key: 'uploads/1.csv', etag: 'e1' } } }
    expect(await task.run(event, ports)).toMatchObject({ id: 'of-e1', manifest: { chunkCount: 3 } })
    expect([...store.objects.keys()]).toContain('chunks/of-e1/manifest.json')
  })

  it('answers or throws for an invalid file, as it is told', async () => {
    const { ports } = given({ 'bad.csv': 'email,name\nx\n' })
    expect(await validateCsv().run({ key: 'bad.csv' }, ports)).toMatchObject({
      isValid: false,
      file: null,
      manifest: null,
    })
    await expect(validateCsv({ onInvalid: 'throw' }).run({ key: 'bad.csv' }, ports)).rejects.toMatchObject({
      name: 'ValidationError',
      code: 'COLUMN_COUNT',
      details: { problems: [{ rowNumber: 1 }] },
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

  it('says in its contract how many chunks there can be, so that a state machine knows whether they fit', async () => {
    const chunksOf = ({ output }: { output: unknown }) =>
      z.toJSONSchema(output as z.ZodMiniType).properties?.['chunks']
    expect(chunksOf(splitCsv({ maxChunks: 40 }))).toMatchObject({ maxItems: 40 })
    expect(chunksOf(splitCsv())).not.toHaveProperty('maxItems')
  })

  it('lets its user explain an error', async () => {
    const { ports } = given({ 'a.csv': 'id\n1\n' })
    const explain = (error: unknown) => new CSVValidationError('no address', { code: 'NONE', cause: error })
    const task = splitCsv({ columns: { email: {} }, explain })
    await expect(task.run({ key: 'a.csv', id: 'x' }, ports)).rejects.toMatchObject({
      name: 'CSVValidationError',
      code: 'NONE',
      cause: { code: 'HEADER_MISMATCH' },
    })
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
    await expect(splitCsv().run({ key: 'a.csv', id: 'x' }, ports)).rejects.toMatchObject({
      name: 'ConflictError',
      code: 'MANIFEST_EXISTS',
    })
    const manifest = await readManifest(store, manifestKey)
    if (!manifest?.chunks[0]) throw new Error('the manifest is missing')
    const rows = readChunk(createObjectSource(store, 'a.csv'), manifest, manifest.chunks[0])
    await expect(rows.next()).rejects.toMatchObject({ name: 'ConflictError', code: 'SOURCE_CHANGED' })
  })

  it('throws CSVValidationError for a file that is no CSV, and writes no manifest', async () => {
    const { ports, store } = given({ 'bad.csv': 'a,b\n1,x"y\n' })
    await expect(splitCsv().run({ key: 'bad.csv', id: 'x' }, ports)).rejects.toMatchObject({
      name: 'CSVValidationError',
      code: 'STRAY_QUOTE',
      details: { rowNumber: 1, column: 'b', byteOffset: 7 },
    })
    expect([...store.objects.keys()]).toEqual(['bad.csv'])
  })
})

describe('what the tasks have in common', () => {
  const tasks = [validateCsv({ split: {}, onInvalid: 'throw' }), splitCsv()]

  it('declare the errors that the package lists, and say what they do and need', () => {
    for (const { errors, description, needs } of tasks) {
      expect(errors).toEqual(csvTaskErrors)
      expect(description).toMatch(/\.$/)
      expect(needs?.ports).toHaveProperty('storeOf')
    }
  })

  it('blame the file as they are told to', async () => {
    const { ports } = given({ 'empty.csv': '' })
    for (const task of tasks) {
      await expect(task.run({ key: 'none.csv', id: 'x' }, ports)).rejects.toMatchObject({
        name: 'ValidationError',
        code: 'OBJECT_NOT_FOUND',
      })
    }
    const fileError = 'CSVValidationError'
    for (const task of [validateCsv({ onInvalid: 'throw', fileError }), splitCsv({ fileError })]) {
      for (const [key, code] of [
        ['none.csv', 'OBJECT_NOT_FOUND'],
        ['empty.csv', 'EMPTY_FILE'],
      ] as const) {
        const run = task.run({ key, id: 'x' }, ports)
        await expect(run).rejects.toMatchObject({ name: fileError, code })
      }
    }
  })

  it('refuse an empty object without reading it, and rows that are missing where they are told to', async () => {
    const { ports, store } = given({ 'empty.csv': '', 'header.csv': 'a,b\n' })
    const answer = await validateCsv().run({ key: 'empty.csv' }, ports)
    expect(answer.statistics.validationErrors).toMatchObject([{ code: 'EMPTY_FILE' }])
    expect(store.calls).toEqual(['head empty.csv'])
    const headerOnly = { key: 'header.csv' }
    expect(await validateCsv().run(headerOnly, ports)).toMatchObject({ isValid: true })
    expect(await validateCsv({ requireRows: true }).run(headerOnly, ports)).toMatchObject({
      isValid: false,
      columnCount: 2,
      statistics: { validationErrors: [{ code: 'EMPTY_FILE' }] },
    })
  })

  it('find columns by any of their names, in any order', async () => {
    const { ports } = given({ 'a.csv': '名前,ｅ－Ｍａｉｌ,other\n佐藤,a@x,1\n', 'b.csv': 'name\n佐藤\n' })
    const columns = { email: { aliases: ['e-mail'] }, name: { aliases: ['名前'] }, city: { optional: true } }
    const columnOf = { email: 'ｅ－Ｍａｉｌ', name: '名前', city: null }
    expect(await validateCsv({ columns }).run({ key: 'a.csv' }, ports)).toMatchObject({ file: { columnOf } })
    const split = splitCsv({ columns })
    for (const _ of ['the first time', 'again, from the manifest']) {
      expect(await split.run({ key: 'a.csv', id: 'x' }, ports)).toMatchObject({ file: { columnOf } })
    }
    expect(await validateCsv({ columns }).run({ key: 'b.csv' }, ports)).toMatchObject({
      isValid: false,
      headerValid: false,
      rowCount: 1,
      statistics: { validationErrors: [{ code: 'HEADER_MISMATCH', rowNumber: 0, column: 'email' }] },
    })
    await expect(split.run({ key: 'b.csv', id: 'y' }, ports)).rejects.toMatchObject({
      name: 'CSVValidationError',
      code: 'HEADER_MISMATCH',
    })
    const strict = validateCsv({ columns, otherColumns: 'refuse' })
    expect(await strict.run({ key: 'a.csv' }, ports)).toMatchObject({ isValid: false, headerValid: false })
  })

  it('decide by the first record whether it is a header, and find columns by their content', async () => {
    const { ports } = given({ 'bare.csv': '佐藤,a@x\n鈴木,b@x\n', 'named.csv': 'name,email\n佐藤,a@x\n' })
    const isAddress = (field: string): boolean => field.includes('@')
    const options = {
      header: (first: readonly string[]) => !first.some(isAddress),
      columns: { email: { looksLike: isAddress } },
    }
    const bare = await validateCsv(options).run({ key: 'bare.csv' }, ports)
    expect(bare).toMatchObject({
      rowCount: 2,
      file: { dialect: { header: false }, columnOf: { email: 'column2' } },
    })
    const named = await splitCsv(options).run({ key: 'named.csv', id: 'x' }, ports)
    expect(named).toMatchObject({
      rowCount: 1,
      file: { dialect: { header: true }, columnOf: { email: 'email' } },
    })
  })

  it('keep limits of rows and chunks', async () => {
    const { ports } = given({ 'a.csv': 'a\n1\n2\n3\n4\n' })
    const run = { key: 'a.csv', id: 'x', rowsPerChunk: 2 }
    const tooMany = { code: 'TOO_MANY_ROWS' }
    await expect(splitCsv({ maxChunks: 1 }).run(run, ports)).rejects.toMatchObject(tooMany)
    await expect(splitCsv({ maxRows: 3 }).run(run, ports)).rejects.toMatchObject(tooMany)
    for (const options of [{ maxRows: 3 }, { split: { maxChunks: 1 } }]) {
      const { statistics } = await validateCsv(options).run(run, ports)
      expect(statistics.validationErrors).toMatchObject([tooMany])
    }
    expect(await splitCsv({ maxChunks: 2, maxRows: 4 }).run(run, ports)).toMatchObject({ chunkCount: 2 })
  })
})
