import { describe, expect, it } from 'vitest'
import { createBytesSource } from '../source/byte-source.ts'
import { lintForItemReader } from './item-reader.ts'

function lint(csv: string | Buffer, options = {}) {
  return lintForItemReader(createBytesSource(Buffer.from(csv as string)), options)
}

describe('lintForItemReader', () => {
  it('finds nothing in a file that Step Functions reads as it is', async () => {
    expect(await lint('a,b\n1,"x, ""y"" 日本"\n3,\n')).toEqual([])
  })

  it('finds backslashes, where they are', async () => {
    expect(await lint('a,b\n日,C:\\temp\n3,4\n"\\n",x\\\n')).toMatchObject([
      { code: 'BACKSLASH', rowNumber: 1, column: 'b', byteOffset: 10, text: '\\xxxx\n' },
      { code: 'BACKSLASH', rowNumber: 3, column: 'a', byteOffset: 21 },
      { code: 'BACKSLASH', rowNumber: 3, column: 'b', byteOffset: 26 },
    ])
  })

  it('finds rows that would be padded or cut', async () => {
    expect(await lint('a,b,c\n1\n1,2,3,4,5\n1,2,3\n')).toMatchObject([
      { code: 'SHORT_ROW', rowNumber: 1, message: '2 missing fields would become empty strings' },
      { code: 'LONG_ROW', rowNumber: 2, message: '2 extra fields would be dropped' },
    ])
  })

  it('finds what it cannot read at all', async () => {
    const wide = Buffer.from('\ufeffa,b\n1,2\n', 'utf16le')
    expect(await lint(wide)).toMatchObject([{ code: 'ENCODING' }])
    expect(await lint('a,b\r1,2\r')).toMatchObject([{ code: 'LINE_END' }])
    expect(await lint(`${'h'.repeat(11_000)}\n1\n`)).toMatchObject([{ code: 'HEADER_SIZE', rowNumber: 0 }])
    expect(await lint('a,b\n1,x"y\n')).toMatchObject([{ code: 'MALFORMED_ROW', rowNumber: 1 }])
  })

  it('stops at a limit', async () => {
    expect(await lint(`a\n${'\\\n'.repeat(500)}`, { maxFindings: 10 })).toHaveLength(10)
  })
})
