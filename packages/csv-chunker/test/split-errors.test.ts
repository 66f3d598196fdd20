import { describe, expect, it } from 'vitest'
import { createBytesSource } from '../src/source/byte-source.ts'
import { splitToManifest } from '../src/split/split.ts'
import type { SplitOptions } from '../src/split/split-options.ts'

function split(csv: string, options: SplitOptions = {}) {
  return splitToManifest(createBytesSource(Buffer.from(csv)), options)
}

describe('a split that is refused', () => {
  it.each([
    ['a stray quote', 'a,b\n1,2\n3,x"y\n', 'STRAY_QUOTE', { rowNumber: 2, column: 'b', byteOffset: 11 }],
    [
      'a stray quote behind empty lines',
      'a,b\n1,2\n\n\nx"y,4\n',
      'STRAY_QUOTE',
      { rowNumber: 2, column: 'a' },
    ],
    [
      'a quote that the next row closes',
      'a,b\n1,"2\n3,"4"\n',
      'TEXT_AFTER_QUOTE',
      { rowNumber: 1, column: 'b', byteOffset: 12 },
    ],
    [
      'a quote that is never closed',
      'a,b\n1,2\n3,"4\n5,6\n',
      'UNCLOSED_QUOTE',
      { rowNumber: 2, column: 'b', byteOffset: 10 },
    ],
  ])('says where: %s', async (_, csv, code, details) => {
    for (const simd of [true, false]) {
      await expect(split(csv, { simd })).rejects.toMatchObject({ name: 'CSVValidationError', code, details })
    }
  })

  it('says in which row, where the record began before the block', async () => {
    const long = `a,b\n1,2\n3,"${'x'.repeat(300)}\n5,6\n`
    const details = { rowNumber: 2, byteOffset: 8 }
    await expect(split(long, { blockBytes: 100 })).rejects.toMatchObject({ code: 'UNCLOSED_QUOTE', details })
  })

  it('keeps the text to itself unless it is told', async () => {
    const csv = 'a,b\nsecret1,x"y\n'
    await expect(split(csv)).rejects.toMatchObject({ details: { text: expect.not.stringContaining('y') } })
    await expect(split(csv, { showText: true })).rejects.toMatchObject({ details: { text: '"' } })
  })
})
