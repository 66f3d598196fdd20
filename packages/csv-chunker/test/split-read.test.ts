import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readChunk, readRows } from '../src/read/read-rows.ts'
import type { ByteSource } from '../src/source/byte-source.ts'
import { createTransform } from '../src/source/transformed-reader.ts'
import type { Manifest } from '../src/split/manifest.ts'
import { splitToManifest } from '../src/split/split.ts'
import { type RandomCsv, randomCsv, smallCsv } from './random-csv.ts'
import { referenceRecords } from './reference.ts'
import { createRaggedSource, everyOffset } from './sources.ts'

async function readAll(
  source: ByteSource,
  manifest: Manifest,
  simd = true,
): Promise<{ row: number; values: string[] }[]> {
  const rows: { row: number; values: string[] }[] = []
  for (const chunk of manifest.chunks) {
    for await (const batch of readChunk(source, manifest, chunk, { simd })) {
      for (const [index, row] of batch.rows.entries()) {
        rows.push({ row: batch.firstRow + index, values: Object.values(row) })
      }
    }
  }
  return rows
}

function expected({ text, dialect, rows }: RandomCsv): { row: number; values: string[] }[] {
  const records = referenceRecords(text, dialect.delimiter, dialect.newline).slice(1)
  expect(records).toEqual(rows)
  return records.map((values, index) => ({ row: index + 1, values }))
}

const splitting = fc.record({
  rowsPerChunk: fc.integer({ min: 1, max: 7 }),
  blockBytes: fc.integer({ min: 1, max: 70 }).map(half => half * 2),
  simd: fc.boolean(),
  digest: fc.constantFrom('crc-32' as const, 'sha-256' as const),
})

describe('split and read', () => {
  it('give what a plain parser gives, and chunks that join to the file, for any CSV and dialect', async () => {
    await fc.assert(
      fc.asyncProperty(randomCsv, splitting, async (csv, options) => {
        const source = createRaggedSource(csv.bytes, [])
        const manifest = await splitToManifest(source, { dialect: csv.dialect, ...options })
        expect(manifest.rowCount).toBe(csv.rows.length)
        let at = manifest.headerBytes
        let row = 1
        for (const chunk of manifest.chunks) {
          expect([chunk.offset, chunk.firstRow]).toEqual([at, row])
          at += chunk.length
          row += chunk.rowCount
          expect(chunk.rowCount).toBeLessThanOrEqual(options.rowsPerChunk)
          const bytes = Buffer.from(csv.bytes.subarray(chunk.offset, chunk.offset + chunk.length))
          createTransform(csv.dialect)?.(bytes)
          if (options.digest === 'sha-256') {
            expect(chunk.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
          } else {
            expect(chunk.crc32).toBe(crc32(bytes).toString(16).padStart(8, '0'))
          }
        }
        expect(at).toBe(csv.bytes.length)
        expect(await readAll(source, manifest, options.simd)).toEqual(expected(csv))
      }),
      { numRuns: 800 },
    )
  }, 120_000)

  it('do not depend on where reads end', async () => {
    await fc.assert(
      fc.asyncProperty(smallCsv, splitting, async (csv, options) => {
        const whole = createRaggedSource(csv.bytes, [])
        const manifest = await splitToManifest(whole, { dialect: csv.dialect, ...options })
        const rows = expected(csv)
        for (const cuts of [everyOffset(csv.bytes), ...everyOffset(csv.bytes).map(cut => [cut])]) {
          const source = createRaggedSource(csv.bytes, cuts)
          expect(await splitToManifest(source, { dialect: csv.dialect, ...options })).toEqual(manifest)
          expect(await readAll(source, manifest, options.simd)).toEqual(rows)
        }
      }),
      { numRuns: 25 },
    )
  }, 120_000)

  it('keep chunks within a number of bytes', async () => {
    await fc.assert(
      fc.asyncProperty(randomCsv, fc.integer({ min: 150, max: 400 }), async (csv, maxChunkBytes) => {
        const source = createRaggedSource(csv.bytes, [])
        const options = { dialect: csv.dialect, maxChunkBytes, blockBytes: 64 }
        const manifest = await splitToManifest(source, options)
        const trailing = /[\r\n]*$/.exec(csv.text)?.[0].length ?? 0
        for (const { length, index } of manifest.chunks) {
          const isLast = index === manifest.chunks.length - 1
          expect(length).toBeLessThanOrEqual(maxChunkBytes + (isLast ? 2 * trailing : 0))
        }
        expect(manifest.chunks.reduce((sum, { length }) => sum + length, manifest.headerBytes)).toBe(
          csv.bytes.length,
        )
        expect(await readAll(source, manifest)).toEqual(expected(csv))
      }),
      { numRuns: 400 },
    )
  }, 120_000)

  it('read a whole file as they read its chunks, with the dialect detected or not', async () => {
    await fc.assert(
      fc.asyncProperty(randomCsv, async csv => {
        const rows: string[][] = []
        for await (const batch of readRows(createRaggedSource(csv.bytes, []), { dialect: csv.dialect })) {
          rows.push(...batch.rows.map(row => Object.values(row)))
        }
        expect(rows).toEqual(csv.rows)
      }),
      { numRuns: 300 },
    )
  }, 120_000)
})
