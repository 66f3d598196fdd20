import { crc32, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRows } from '../src/read/read-rows.ts'
import { createBytesSource } from '../src/source/byte-source.ts'
import { splitToObjects } from '../src/split/split-to-objects.ts'
import { createMemoryObjects } from './memory-objects.ts'
import { randomCsv } from './random-csv.ts'
import { rowsOf } from './rows-of.ts'

/** Files whose bytes are scanned as they are. */
const copiedCsv = randomCsv.filter(
  ({ dialect }) => dialect.encoding !== 'ISO-2022-JP' && dialect.newline !== 'CRCRLF',
)

describe('splitToObjects', () => {
  it('writes chunks that begin with the header and join to the file, byte by byte', async () => {
    await fc.assert(
      fc.asyncProperty(copiedCsv, fc.integer({ min: 1, max: 7 }), async (csv, rowsPerChunk) => {
        const store = createMemoryObjects()
        const options = { id: 'job', rowsPerChunk, dialect: csv.dialect, blockBytes: 64 }
        const manifest = await splitToObjects(createBytesSource(csv.bytes), store, options)
        const header = csv.bytes.subarray(0, manifest.headerBytes)
        const bodies: Buffer[] = []
        const rows: string[][] = []
        for (const { key, index, firstRow, crc32: sum } of manifest.chunks) {
          expect(key).toBe(`chunks/job/chunk_${String(index).padStart(3, '0')}.csv`)
          const bytes = store.objects.get(key) as Buffer
          expect(bytes.subarray(0, header.length).equals(header)).toBe(true)
          const body = bytes.subarray(header.length)
          expect(sum).toBe(crc32(body).toString(16).padStart(8, '0'))
          bodies.push(body)
          for await (const batch of readRows(createBytesSource(bytes), { dialect: csv.dialect, firstRow })) {
            expect(batch.firstRow).toBe(rows.length + 1)
            rows.push(...batch.rows.map(row => Object.values(row)))
          }
        }
        expect(Buffer.concat([header, ...bodies]).equals(csv.bytes)).toBe(true)
        expect(rows).toEqual(csv.rows)
      }),
      { numRuns: 300 },
    )
  }, 60_000)

  it('splits compressed files', async () => {
    const csv = `id,name\n${Array.from({ length: 12_000 }, (_, row) => `${row},佐藤`).join('\n')}\n`
    const store = createMemoryObjects()
    const manifest = await splitToObjects(createBytesSource(gzipSync(csv)), store, { id: 'zipped' })
    expect(manifest.chunks.map(({ rowCount }) => rowCount)).toEqual([5000, 5000, 2000])
    expect(await rowsOf(store.objects.get('chunks/zipped/chunk_002.csv') as Buffer)).toHaveLength(2000)
  })

  it('stops at the first chunk that cannot be stored', async () => {
    const csv = `id\n${Array.from({ length: 1000 }, (_, row) => row).join('\n')}\n`
    let puts = 0
    const target = {
      async put() {
        puts += 1
        throw new Error('the disk is full')
      },
    }
    const split = splitToObjects(createBytesSource(Buffer.from(csv)), target, { id: 'x', rowsPerChunk: 10 })
    await expect(split).rejects.toThrow('the disk is full')
    expect(puts).toBeLessThan(10)
  })

  it('leaves the body of a chunk alone until it is stored', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `${i},${i}\n`)
    const stored = new Map<string, string>()
    const slow = {
      async put(key: string, body: Uint8Array) {
        for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate)
        stored.set(key, Buffer.from(body).toString())
      },
    }
    const source = createBytesSource(Buffer.from(`a,b\n${lines.join('')}`))
    const { chunks } = await splitToObjects(source, slow, { id: 'slow', rowsPerChunk: 5, concurrency: 3 })
    expect(chunks.map(({ key }) => stored.get(key)?.slice(4)).join('')).toBe(lines.join(''))
  })
})
