import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultDialect } from '../src/dialect/dialect.ts'
import { createBytesSource } from '../src/source/byte-source.ts'
import { splitToManifest } from '../src/split/split.ts'
import { check } from '../src/validate/validate.ts'
import { type RandomCsv, randomCsv } from './random-csv.ts'

const exactlyFull: RandomCsv = {
  dialect: defaultDialect,
  columns: ['a'],
  rows: [['123'], ['4567']],
  text: 'a\n123\n4567',
  bytes: Buffer.from('a\n123\n4567'),
}

describe('check', () => {
  it('cuts, while it validates, into the very chunks that split gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomCsv,
        fc.record({
          rowsPerChunk: fc.integer({ min: 1, max: 7 }),
          maxChunkBytes: fc.constantFrom(150, 200, 1000),
          digest: fc.constantFrom('crc-32' as const, 'sha-256' as const, 'none' as const),
        }),
        fc.boolean(),
        async (csv, chunks, simd) => {
          const source = createBytesSource(csv.bytes, '"1"')
          const options = { dialect: csv.dialect, simd } as const
          const { validation, form, manifest } = await check(
            source,
            { ...options, formulas: 'ignore' },
            chunks,
          )
          const alone = await splitToManifest(source, { ...options, ...chunks })
          expect(validation.isValid).toBe(true)
          expect(manifest).toEqual(alone)
          expect(form).toEqual({ source: alone.source, dialect: alone.dialect, columns: alone.columns })
        },
      ),
      {
        numRuns: 600,
        examples: [[exactlyFull, { rowsPerChunk: 2, maxChunkBytes: 8, digest: 'crc-32' }, true]],
      },
    )
  }, 60_000)

  it('cuts where many windows of empty lines stand between the rows', async () => {
    const gap = '\n'.repeat(100_000)
    const csv = `a,b\n1,日\n2,本${gap}3,語\n4,"x"${gap}${gap}5,6${gap}`
    for (const rowsPerChunk of [1, 2, 3, 4, 5]) {
      for (const digest of ['crc-32', 'sha-256'] as const) {
        const source = createBytesSource(Buffer.from(csv))
        const { manifest } = await check(source, {}, { rowsPerChunk, digest })
        expect(manifest).toEqual(await splitToManifest(source, { rowsPerChunk, digest }))
      }
    }
  })
})
