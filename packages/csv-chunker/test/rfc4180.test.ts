import { describe, expect, it } from 'vitest'
import { rowsOf } from './rows-of.ts'

describe('RFC 4180', () => {
  it.each([
    [
      'records on lines of their own (2.1)',
      'a,b\r\n1,2\r\n3,4\r\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['a last record without a line end (2.2)', 'a,b\r\n1,2', [{ a: '1', b: '2' }]],
    ['spaces are part of a field (2.4)', 'a,b\n 1 , 2\n', [{ a: ' 1 ', b: ' 2' }]],
    ['quoted and plain fields (2.5)', 'a,b\n"1",2\n', [{ a: '1', b: '2' }]],
    ['a delimiter in quotes (2.6)', 'a,b\n"1,5",2\n', [{ a: '1,5', b: '2' }]],
    ['a line end in quotes (2.6)', 'a,b\n"x\ny","p\r\nq"\n', [{ a: 'x\ny', b: 'p\r\nq' }]],
    ['escaped quotes (2.7)', 'a,b\n"say ""hi""",""""\n', [{ a: 'say "hi"', b: '"' }]],
    ['nothing but escaped quotes', 'a\n""""""\n', [{ a: '""' }]],
    ['empty fields, quoted or not', 'a,b,c\n,"",\n', [{ a: '', b: '', c: '' }]],
    ['an empty quoted field as the only one', 'a\n""\n', [{ a: '' }]],
    ['a quoted header', '"first name","a,b"\n1,2\n', [{ 'first name': '1', 'a,b': '2' }]],
    ['JSON in a field', 'k,v\n1,"{""x"": [1,2]}"\n', [{ k: '1', v: '{"x": [1,2]}' }]],
    [
      'empty lines between records',
      'a,b\n\n1,2\n\n\n3,4\n\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['empty lines of CRLF', 'a,b\r\n\r\n1,2\r\n\r\n', [{ a: '1', b: '2' }]],
    [
      'line ends of both kinds',
      'a,b\r\n1,2\n3,4\r\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    [
      'lone CRs as line ends',
      'a,b\r1,2\r\r"3\r3",4\r',
      [
        { a: '1', b: '2' },
        { a: '3\r3', b: '4' },
      ],
    ],
    ['a byte order mark', '\ufeffa,b\n1,2\n', [{ a: '1', b: '2' }]],
    ['a header only', 'a,b\n', []],
    ['a header without a line end', 'a,b', []],
    ['characters of every length', 'a,b\né日𠮷,🎉\n', [{ a: 'é日𠮷', b: '🎉' }]],
    ['a column called __proto__', '__proto__,b\n1,2\n', [JSON.parse('{"__proto__":"1","b":"2"}')]],
    ['columns that look like numbers', '2,1\na,b\n', [{ 1: 'b', 2: 'a' }]],
  ])('%s', async (_, csv, expected) => {
    for (const simd of [true, false]) expect(await rowsOf(csv, { simd })).toEqual(expected)
  })

  it.each([
    [
      'a quote inside a plain field',
      'a,b\n1,2\n3,x"y\n',
      'STRAY_QUOTE',
      { rowNumber: 2, column: 'b', byteOffset: 11 },
    ],
    [
      'text after a closing quote',
      'a,b\n1,"2"x\n',
      'TEXT_AFTER_QUOTE',
      { rowNumber: 1, column: 'b', byteOffset: 9 },
    ],
    [
      'a quote that is never closed',
      'a,b\n1,2\n3,"4\n5,6\n',
      'UNCLOSED_QUOTE',
      { rowNumber: 2, column: 'b', byteOffset: 10 },
    ],
    ['a row that is short', 'a,b\n1,2\n3\n', 'COLUMN_COUNT', { rowNumber: 2 }],
    [
      'a row that is long',
      'a,b\n日,"2"\n3,4,5\n',
      'COLUMN_COUNT',
      { rowNumber: 2, column: '3', byteOffset: 16 },
    ],
    ['two columns of one name', 'a,b,a\n', 'DUPLICATE_COLUMN', { column: 'a' }],
    ['nothing at all', '', 'EMPTY_FILE', {}],
    ['empty lines only', '\n\r\n\n', 'EMPTY_FILE', {}],
    ['a byte order mark only', '\ufeff', 'EMPTY_FILE', {}],
  ])('refuses %s', async (_, csv, code, details) => {
    for (const simd of [true, false]) {
      await expect(rowsOf(csv, { simd })).rejects.toMatchObject({ name: 'CSVValidationError', code, details })
    }
  })

  it('refuses bytes that are no text, and says where', async () => {
    const csv = Buffer.concat([Buffer.from('a,b\n1,2\n日,'), Buffer.from([0x82, 0xa0]), Buffer.from('\n')])
    await expect(rowsOf(csv, { dialect: { encoding: 'UTF-8' } })).rejects.toMatchObject({
      code: 'INVALID_BYTES',
      details: { rowNumber: 2, byteOffset: 12 },
    })
    const odd = Buffer.concat([Buffer.from('a\n1\n', 'utf16le'), Buffer.from([0x41])])
    await expect(rowsOf(odd, { dialect: { encoding: 'UTF-16LE' } })).rejects.toMatchObject({
      code: 'INVALID_BYTES',
    })
  })

  it('does not join a character whose halves are in two fields', async () => {
    const halves = Buffer.from('a,b\n1,2\nxé,y\n')
    const comma = halves.lastIndexOf(',')
    halves.copyWithin(comma, comma - 1, comma)
    halves.fill(',', comma - 1, comma)
    expect(halves.toString('latin1')).toBe('a,b\n1,2\nx\xc3,\xa9y\n')
    for (const simd of [true, false]) {
      await expect(rowsOf(halves, { dialect: { encoding: 'UTF-8' }, simd })).rejects.toMatchObject({
        code: 'INVALID_BYTES',
        details: { rowNumber: 2, column: 'a', byteOffset: 9 },
      })
    }
  })

  it('reads the character that stands for broken ones, where it is written', async () => {
    expect(await rowsOf('a,b\n\ufffd,x\ufffd\n')).toEqual([{ a: '\ufffd', b: 'x\ufffd' }])
  })

  it('shows the shape of offending text and nothing of its content', async () => {
    const error = await rowsOf('a,b\n1,Tanaka7"@x\n').catch(caught => caught)
    expect(error.details.text).toBe('"@x\n')
    const shown = await rowsOf('a,b\n1,2,Tanaka 佐藤 7\n').catch(caught => caught)
    expect(shown.details.text).toBe('xxxxxx xx 9\n')
    const raw = await rowsOf('a,b\n1,2,Tanaka 佐藤 7\n', { showText: true }).catch(caught => caught)
    expect(raw.details.text).toBe('Tanaka 佐藤 7\n')
  })

  it('refuses a row that is longer than the limit, however reads fall', async () => {
    const long = `a,b\n1,"${'x'.repeat(5000)}"\n`
    await expect(rowsOf(long, { limits: { maxRowBytes: 1000 } })).rejects.toMatchObject({
      code: 'ROW_TOO_LONG',
    })
    expect(await rowsOf(long, { limits: { maxRowBytes: 10_000 } })).toHaveLength(1)
  })

  it('reads rows and fields that are longer than a window', async () => {
    const value = '日本語"\n'.repeat(50_000)
    const csv = `a,b\n1,"${value.replaceAll('"', '""')}"\n3,4\n`
    expect(await rowsOf(csv)).toEqual([
      { a: '1', b: value },
      { a: '3', b: '4' },
    ])
  })
})
