import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type ByteSource, createBytesSource } from '../source/byte-source.ts'
import { createFileSource } from '../source/file-source.ts'
import { parseManifest } from '../split/manifest.ts'
import { splitToManifest } from '../split/split.ts'
import { formatCsv } from '../write/format-csv.ts'
import { parseRows, type Row, type RowBatch, readChunk, readRows } from './read-rows.ts'

const csv = Buffer.from(`id,name\n${Array.from({ length: 200_000 }, (_, row) => `${row},佐藤`).join('\n')}\n`)

/** Counts what is asked of a source. */
function watched(source: ByteSource): { source: ByteSource; seen: { reads: number; open: number } } {
  const seen = { reads: 0, open: 0 }
  return {
    seen,
    source: {
      facts: signal => source.facts(signal),
      async open(options) {
        const reader = await source.open(options)
        seen.open += 1
        return {
          read(into) {
            seen.reads += 1
            return reader.read(into)
          },
          async close() {
            seen.open -= 1
            await reader.close()
          },
        }
      },
    },
  }
}

describe('readRows', () => {
  it('numbers rows as in the file, from one batch to the next', async () => {
    let next = 1
    for await (const { firstRow, rows } of readRows(createBytesSource(csv))) {
      expect(firstRow).toBe(next)
      expect(rows.findIndex(({ id }, index) => id !== String(firstRow - 1 + index))).toBe(-1)
      next += rows.length
    }
    expect(next).toBe(200_001)
  })

  it('reads on only when it is asked to, and closes the source when it is left', async () => {
    const { source, seen } = watched(createBytesSource(csv))
    const rows = readRows(source)
    await rows.next()
    const { reads } = seen
    expect(reads).toBeLessThan(8)
    await new Promise(resolve => setImmediate(resolve))
    expect(seen.reads).toBe(reads)
    await rows.return(undefined)
    expect(seen.open).toBe(0)
  })

  it('closes the source when a row is refused', async () => {
    const broken = Buffer.concat([csv, Buffer.from('1\n')])
    const { source, seen } = watched(createBytesSource(broken))
    const reading = (async () => {
      for await (const _ of readRows(source));
    })()
    await expect(reading).rejects.toMatchObject({ code: 'COLUMN_COUNT', details: { rowNumber: 200_001 } })
    expect(seen.open).toBe(0)
  })

  it('stops when it is aborted in the middle', async () => {
    const abort = new AbortController()
    const { source, seen } = watched(createBytesSource(csv))
    const reading = (async () => {
      for await (const _ of readRows(source, { signal: abort.signal })) abort.abort()
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen.open).toBe(0)
  })

  it('passes on the trouble of its source, also of a read that was ahead', async () => {
    const { source } = watched(createBytesSource(csv))
    let reads = 0
    const failing: ByteSource = {
      facts: () => source.facts(),
      async open(options) {
        const reader = await source.open(options)
        return {
          ...reader,
          read: into => (++reads > 4 ? Promise.reject(new Error('cut off')) : reader.read(into)),
        }
      },
    }
    const reading = (async () => {
      for await (const _ of readRows(failing)) await new Promise(resolve => setImmediate(resolve))
    })()
    await expect(reading).rejects.toThrow('cut off')
    reads = 0
    await expect(splitToManifest(failing, { blockBytes: 1000 })).rejects.toThrow('cut off')
  })

  it('names the columns of a file without a header', async () => {
    const source = createBytesSource(Buffer.from('1,x\n2,y\n'))
    const { value } = await readRows(source, { dialect: { header: false } }).next()
    expect(value).toEqual({
      firstRow: 1,
      rows: [
        { column1: '1', column2: 'x' },
        { column1: '2', column2: 'y' },
      ],
    })
  })

  it('undoes what formatCsv did to formulas, in files that have the column for it', async () => {
    const rows = [
      { memo: '=1+1', error: '' },
      { memo: "'-x", error: '' },
    ]
    const written: Uint8Array[] = []
    const fields = rows.map(row => Object.values(row))
    for await (const part of formatCsv(['memo', 'error'], fields)) written.push(part)
    const source = createBytesSource(Buffer.concat(written))
    expect((await readRows(source, { reasonColumn: 'error' }).next()).value?.rows).toEqual(rows)
    expect((await readRows(source, { reasonColumn: 'other' }).next()).value?.rows[0]?.memo).toBe("'=1+1")
  })

  it('reads quotes as text where it is told to', async () => {
    const source = createBytesSource(Buffer.from('a,b\n5" disk,"x\n'))
    const { value } = await readRows(source, { dialect: { quote: '' } }).next()
    expect(value?.rows).toEqual([{ a: '5" disk', b: '"x' }])
    const apostrophes = createBytesSource(Buffer.from("a,b\n'x,''y''',\"z\"\n"))
    const other = await readRows(apostrophes, { dialect: { quote: "'" } }).next()
    expect(other.value?.rows).toEqual([{ a: "x,'y'", b: '"z"' }])
  })
})

describe('readChunk', () => {
  it('refuses a file that has changed since it was split', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'csv-change-'))
    try {
      const path = join(directory, 'a.csv')
      await writeFile(path, 'a,b\n1,2\n3,4\n')
      const source = createFileSource(path)
      const manifest = parseManifest(JSON.parse(JSON.stringify(await splitToManifest(source))))
      const [chunk] = manifest.chunks
      if (!chunk) throw new Error('there is no chunk')
      expect((await readChunk(source, manifest, chunk).next()).value?.rows).toHaveLength(2)
      await utimes(path, 1, 1)
      await expect(readChunk(source, manifest, chunk).next()).rejects.toMatchObject({
        code: 'SOURCE_CHANGED',
      })
      await rm(path)
      await expect(splitToManifest(source)).rejects.toMatchObject({ name: 'NotFoundError' })
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  it('refuses a manifest that is none', () => {
    expect(() => parseManifest({ version: 2 })).toThrow('the value is not a manifest')
  })
})

describe('parseRows', () => {
  it('gives what the schema makes of a row', async () => {
    const schema = z.object({ id: z.coerce.number(), name: z.string() })
    const { value } = await parseRows(readRows(createBytesSource(csv)), schema).next()
    expect(value?.rows[1]).toEqual({ id: 1, name: '佐藤' })
  })

  it('refuses a row that does not fit, by its number', async () => {
    const source = createBytesSource(Buffer.from('id,name\n1,x\n2,\n'))
    const schema = z.object({ id: z.string(), name: z.string().check(z.minLength(1)) })
    await expect(parseRows(readRows(source), schema).next()).rejects.toMatchObject({
      name: 'DataValidationError',
      details: { rowNumber: 2, issues: [{ path: 'name' }] },
    })
  })

  it('takes an answer that comes later, or that has a value beside its issues', async () => {
    const schema = (answer: (id: string) => unknown): StandardSchemaV1 => ({
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: row => answer((row as Row)['id'] as string) as StandardSchemaV1.Result<unknown>,
      },
    })
    const batches = (): AsyncIterable<RowBatch> =>
      readRows(createBytesSource(Buffer.from('id\n1\n2\n3\n4\n')))
    const later = schema(id => (id === '2' || id === '4' ? Promise.resolve({ value: id }) : { value: id }))
    const { value } = await parseRows(batches(), later).next()
    expect(value).toEqual({ firstRow: 1, rows: ['1', '2', '3', '4'] })
    const issues = [{ message: 'no' }]
    for (const answer of [{ issues }, { value: '3', issues }, Promise.resolve({ value: '3', issues })]) {
      const refusing = schema(id => (id === '3' ? answer : { value: id }))
      await expect(parseRows(batches(), refusing).next()).rejects.toMatchObject({ details: { rowNumber: 3 } })
    }
  })
})
