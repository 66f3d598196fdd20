import { describe, expect, it } from 'vitest'
import { readRows } from '../src/read/read-rows.ts'
import { type ByteSource, createBytesSource } from '../src/source/byte-source.ts'
import { splitToManifest } from '../src/split/split.ts'
import { validate } from '../src/validate/validate.ts'
import { encode } from './encode.ts'

const xlsx = Buffer.concat([
  Buffer.from('PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0', 'latin1'),
  Buffer.from('\u0001[Content_Types].xml \0\u0002'),
])

async function refusals(bytes: Buffer): Promise<unknown[]> {
  const source = createBytesSource(bytes)
  const { statistics } = await validate(source)
  const errors = [statistics.validationErrors[0]]
  for (const read of [() => readRows(source).next(), () => splitToManifest(source)]) {
    await expect(read()).rejects.toMatchObject({
      name: 'CSVValidationError',
      code: statistics.validationErrors[0]?.code,
    })
  }
  return errors
}

describe('a file that cannot be read', () => {
  it.each<[string, Buffer, object]>([
    ['an Excel workbook', xlsx, { code: 'BINARY_FILE', message: expect.stringContaining('.xlsx') }],
    ['an image', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0', 'latin1'), { code: 'BINARY_FILE' }],
    [
      'lines of UTF-16 that end with CR CR LF',
      Buffer.from('\ufeffa,b\r\r\n1,2\r\r\n', 'utf16le'),
      { code: 'LINE_ENDS' },
    ],
    [
      'two bytes that are one kanji or two half-width kana',
      encode('山', 'EUC-JP'),
      { code: 'UNKNOWN_ENCODING' },
    ],
  ])('is refused with its reason: %s', async (_, bytes, problem) => {
    expect(await refusals(bytes)).toMatchObject([problem])
  })

  it('holds half-width kana in JIS, and says where', async () => {
    const csv = Buffer.from('name\n\x1b$B;3ED\x1b(B\n\x1b(I123\x1b(B\n', 'latin1')
    const [problem] = (await validate(createBytesSource(csv))).statistics.validationErrors
    expect(problem).toMatchObject({ code: 'INVALID_BYTES', rowNumber: 2, column: 'name', byteOffset: 16 })
  })

  it('is not one whose fields hold CR CR LF, or one stray control character', async () => {
    for (const csv of ['a,b\r\n"1\r\r\n",2\r\n', `a,b\n1,x\u0001\n${'3,4\n'.repeat(100)}`]) {
      expect((await validate(createBytesSource(Buffer.from(csv)))).isValid).toBe(true)
    }
  })

  it('has its broken byte placed: row, column, byte', async () => {
    const csv = Buffer.from('氏名,住所,電話\n佐藤,東京,1\n鈴木,大*阪,2\n')
    const at = csv.indexOf('*')
    csv[at] = 0xff
    const [problem] = (await validate(createBytesSource(csv))).statistics.validationErrors
    expect(problem).toMatchObject({
      code: 'INVALID_BYTES',
      rowNumber: 2,
      column: '住所',
      byteOffset: at,
    })
    const header = Buffer.from('氏名,住*所\n佐藤,東京\n鈴木,大阪\n')
    header[header.indexOf('*')] = 0xff
    const [first] = (await validate(createBytesSource(header))).statistics.validationErrors
    expect(first).toMatchObject({ code: 'INVALID_BYTES', rowNumber: 0, column: '2', byteOffset: 10 })
  })

  it.each(['UTF-8', 'Shift_JIS'] as const)(
    'is not scanned again for every row before a broken byte: %s',
    async encoding => {
      const rows = 50_000
      const bytes = Buffer.from(`a,b\n${'1,2345*\n'.repeat(rows)}`)
      const broken = Array.from({ length: 15 }, (_, index) => 3000 * (index + 1))
      for (const row of broken) bytes[4 + 8 * row - 2] = 0xff
      const before = process.cpuUsage()
      const { rowCount, statistics } = await validate(createBytesSource(bytes), { dialect: { encoding } })
      const { user, system } = process.cpuUsage(before)
      expect(rowCount).toBe(rows)
      expect(statistics.validationErrors.map(({ rowNumber }) => rowNumber)).toEqual(broken)
      expect((user + system) / 1000).toBeLessThan(700)
    },
  )

  it('leaves no NUL and no half of a character in what is said of it', async () => {
    const emoji = '🎉'.repeat(30)
    for (const csv of [
      `a,b\n1,x"${emoji}\0\n`,
      `a,b\n1,"${emoji}" \0\n`,
      `a\0b,c\n1,=${'x'.repeat(39)}🎉\0\n`,
      `${emoji.repeat(9)}\0,a\n1\n`,
    ]) {
      for (const showText of [true, false]) {
        const { statistics } = await validate(createBytesSource(Buffer.from(csv)), { showText })
        const said = JSON.stringify(statistics.validationErrors)
        expect(statistics.validationErrors.length).toBeGreaterThan(0)
        expect(said).not.toContain('\\u0000')
        expect(said).not.toMatch(/\\ud[89a-f]/)
      }
    }
  })
})

describe('empty lines before the first row', () => {
  it.each<[string, (text: string) => Buffer]>([
    ['LF', text => Buffer.from(text)],
    ['CRLF', text => Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['CR', text => Buffer.from(text.replaceAll('\n', '\r'))],
    ['a mark', text => Buffer.from(`\ufeff${text}`)],
    ['UTF-16', text => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without mark', text => Buffer.from(text, 'utf16le').swap16()],
  ])('are skipped: %s', async (_, encoded) => {
    const bytes = encoded(`${'\n'.repeat(200_001)}a;b\n1;2\n3;4\n`)
    for (const header of [true, false]) {
      const source = createBytesSource(bytes)
      const { rowCount, columns, headerBytes, chunks } = await splitToManifest(source, {
        dialect: { header },
      })
      expect([rowCount, columns.length]).toEqual([header ? 2 : 3, 2])
      expect(headerBytes + (chunks[0]?.length ?? 0)).toBe(bytes.length)
      const rows: unknown[] = []
      for await (const batch of readRows(source, { dialect: { header } })) rows.push(...batch.rows)
      expect(rows.at(-1)).toEqual(header ? { a: '3', b: '4' } : { column1: '3', column2: '4' })
    }
  })

  it('take bounded memory and time, however many', async () => {
    const block = Buffer.alloc(1024 * 1024, '\r\n')
    let largest = 0
    let left = 16
    const source: ByteSource = {
      facts: async () => ({ size: undefined, etag: undefined }),
      open: async () => ({
        async read(into) {
          largest = Math.max(largest, into.length)
          if (left === 0) return 0
          left -= into.length / block.length
          return block.copy(into, 0, 0, into.length)
        },
        close: async () => {},
      }),
    }
    const started = performance.now()
    await expect(splitToManifest(source)).rejects.toMatchObject({ code: 'EMPTY_FILE' })
    expect(largest).toBeLessThanOrEqual(64 * 1024)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
