import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readCsv } from './csv.ts'
import { decode, decompress, readLines, readWhole } from './decompress.ts'

const mebibyte = 1024 * 1024

/** So many pieces of the same text, without holding them. */
async function* repeat(text: string, times: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.from(text)
  for (let made = 0; made < times; made += 1) yield piece
}

async function count(pieces: AsyncIterable<{ readonly length: number }>): Promise<number> {
  let length = 0
  for await (const piece of pieces) length += piece.length
  return length
}

function failure(cause: string) {
  return expect.objectContaining({ error: 'States.ItemReaderFailed', cause: expect.stringContaining(cause) })
}

describe('readLines', () => {
  it('reads a very long line in linear time', { timeout: 2000 }, async () => {
    const line = Buffer.concat([Buffer.alloc(7 * mebibyte, 'x'), Buffer.from('\nshort\n\n last')])
    const found: number[] = []
    for await (const lines of readLines(decode(repeat(line.toString(), 1))))
      found.push(...lines.map(each => each.length))
    expect(found).toEqual([7 * mebibyte, 5, 5])
  })

  it('refuses a line without end', async () => {
    const lines = readLines(decode(repeat('x'.repeat(mebibyte), 1000)))
    await expect(count(lines)).rejects.toEqual(failure('a line of more than'))
  })
})

describe('readCsv', () => {
  it.each([
    ['a quoted field', '"', 'x'],
    ['fields', '', 'x,'],
    ['a field', '', 'x'],
  ])('refuses a row with %s without end', async (_what, start, unit) => {
    async function* text() {
      yield start
      yield* decode(repeat(unit.repeat(mebibyte / unit.length), 1000))
    }
    const rows = readCsv(text(), { InputType: 'CSV', CSVHeaderLocation: 'GIVEN', CSVHeaders: ['a'] })
    await expect(count(rows)).rejects.toEqual(failure('a line of more than'))
  })

  it('takes many rows that together are longer than one may be', async () => {
    const text = decode(repeat('abc,def\n'.repeat(mebibyte / 8), 9))
    const rows = readCsv(text, { InputType: 'CSV', CSVHeaderLocation: 'GIVEN', CSVHeaders: ['a'] })
    expect(await count(rows)).toBe((9 * mebibyte) / 8)
  })
})

describe('decompress', () => {
  it.each([
    ['gz', gzipSync],
    ['zst', zstdCompressSync],
  ])('refuses a bomb of .%s', async (extension, compress) => {
    const bomb = compress(Buffer.alloc(40 * mebibyte))
    async function* bytes() {
      yield bomb
    }
    await expect(count(decompress(bytes(), `x.${extension}`))).rejects.toEqual(failure('times its size'))
  })

  it('takes small files however much they expand', async () => {
    async function* bytes() {
      yield gzipSync(Buffer.alloc(8 * mebibyte))
    }
    expect(await count(decompress(bytes(), 'x.gz'))).toBe(8 * mebibyte)
  })
})

describe('readWhole', () => {
  it('refuses what is too large for one text, and says what to do', async () => {
    await expect(readWhole(repeat(' '.repeat(mebibyte), 600))).rejects.toEqual(
      failure('Use CSV or JSON Lines'),
    )
  })
})
