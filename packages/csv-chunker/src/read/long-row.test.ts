import { describe, expect, it } from 'vitest'
import { createBytesSource } from '../source/byte-source.ts'
import { readRows } from './read-rows.ts'

describe('a very long field', () => {
  // The plain scanner took 17 seconds for it when it began again after every read.
  it('is read in linear time', async () => {
    const field = 'x'.repeat(12_000_000)
    const source = createBytesSource(Buffer.from(`\ufeffa,b\n1,${field}\n2,y\n`, 'utf16le'))
    const lengths: number[] = []
    for await (const { rows } of readRows(source, { limits: { maxRowBytes: 100_000_000 } })) {
      for (const { b = '' } of rows) lengths.push(b.length)
    }
    expect(lengths).toEqual([field.length, 1])
  })
})

describe('rows as arrays', () => {
  it('keep the order of columns that are called by numbers', async () => {
    const source = createBytesSource(Buffer.from('10,2,b,1\nten,two,"the ""b""",one\n,,,\n'))
    const { value: objects } = await readRows(source).next()
    expect(Object.keys(objects?.rows[0] ?? {})).toEqual(['1', '2', '10', 'b'])
    const { value: arrays } = await readRows(source, { rowsAs: 'arrays' }).next()
    expect(arrays).toEqual({
      firstRow: 1,
      rows: [
        ['ten', 'two', 'the "b"', 'one'],
        ['', '', '', ''],
      ],
    })
  })

  it('are rearmed and without escapes, as objects are', async () => {
    const disarmed = createBytesSource(Buffer.from("a,reason\n'=1+1,x\n"))
    const { value } = await readRows(disarmed, { rowsAs: 'arrays', reasonColumn: 'reason' }).next()
    expect(value?.rows).toEqual([['=1+1', 'x']])
    const jis = createBytesSource(Buffer.from('name\n\x1b$B;3ED\x1b(B\n', 'latin1'))
    expect((await readRows(jis, { rowsAs: 'arrays' }).next()).value?.rows).toEqual([['山田']])
  })
})
