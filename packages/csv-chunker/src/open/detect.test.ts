import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Delimiter, Encoding } from '../dialect/dialect.ts'
import { createBytesSource } from '../source/byte-source.ts'
import { detect, detectSample } from './detect.ts'

function sjis(...bytes: number[]): Buffer {
  return Buffer.from(bytes)
}
function repeat(bytes: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => bytes))
}

/** 佐藤さくら,東京都 in each encoding, as a row. */
const rows: Record<Encoding, Buffer> = {
  'UTF-8': Buffer.from('佐藤さくら,東京都\n'),
  'UTF-16LE': Buffer.from('佐藤さくら,東京都\n', 'utf16le'),
  'UTF-16BE': Buffer.from('佐藤さくら,東京都\n', 'utf16le').swap16(),
  Shift_JIS: sjis(
    0x8d,
    0xb2,
    0x93,
    0xa1,
    0x82,
    0xb3,
    0x82,
    0xad,
    0x82,
    0xe7,
    0x2c,
    0x93,
    0x8c,
    0x8b,
    0x9e,
    0x93,
    0x73,
    0x0a,
  ),
  'EUC-JP': sjis(
    0xba,
    0xb4,
    0xc6,
    0xa3,
    0xa4,
    0xb5,
    0xa4,
    0xaf,
    0xa4,
    0xe9,
    0x2c,
    0xc5,
    0xec,
    0xb5,
    0xfe,
    0xc5,
    0xd4,
    0x0a,
  ),
  'ISO-2022-JP': Buffer.from('\x1b$B:4F#$5$/$i\x1b(B,\x1b$BEl5~ET\x1b(B\n'),
  'ISO-8859-1': Buffer.from('François Müller,Größe España\n', 'latin1'),
  'Windows-1252': Buffer.from('It\x92s Fran\xe7ois\x85,\x8010 \x96 ni\xf1o\n', 'latin1'),
}

describe('encodings that are possible', () => {
  it('decide where one character could be two things', () => {
    const kana = Buffer.concat([Buffer.from('a,'), Buffer.from([0xb1]), Buffer.from('\n')])
    expect(detectSample(kana).encoding).toBe('ISO-8859-1')
    const encodings = ['UTF-8', 'Shift_JIS', 'EUC-JP'] as const
    expect(detectSample(kana, { encodings })).toMatchObject({ encoding: 'Shift_JIS' })
  })
})

describe('detect', () => {
  it.each(Object.entries(rows))('knows %s by its content', (encoding, row) => {
    for (const times of [1, 3, 500]) {
      expect(detectSample(repeat(row, times)).encoding).toBe(encoding)
    }
    expect(detectSample(repeat(row, 20)).confidence).toBeGreaterThan(0.6)
  })

  it('knows an encoding by its mark, and is sure of it', () => {
    expect(detectSample(Buffer.from('\ufeffa,b\n1,2\n'))).toMatchObject({
      encoding: 'UTF-8',
      bomBytes: 3,
      confidence: 1,
    })
    const wide = Buffer.from('\ufeffa,b\n1,2\n', 'utf16le')
    expect(detectSample(wide)).toMatchObject({ encoding: 'UTF-16LE', bomBytes: 2, firstRecord: ['a', 'b'] })
    expect(detectSample(wide.swap16())).toMatchObject({
      encoding: 'UTF-16BE',
      bomBytes: 2,
      firstRecord: ['a', 'b'],
    })
  })

  it('does not mistake a sample that cuts through a character', () => {
    const text = repeat(rows['UTF-8'], 10)
    for (let end = 60; end < 120; end += 1) {
      expect(detectSample(text.subarray(0, end)).encoding).toBe('UTF-8')
      expect(detectSample(Buffer.from('plain ascii\n'), {}, text.subarray(end - 50, end)).encoding).toBe(
        'UTF-8',
      )
    }
  })

  it('looks at the end of a file whose start is plain ASCII', async () => {
    const head = Buffer.from(`name,city\n${'plain,ascii\n'.repeat(20_000)}`)
    const detection = await detect(createBytesSource(Buffer.concat([head, repeat(rows.Shift_JIS, 5000)])))
    expect(detection.encoding).toBe('Shift_JIS')
  })

  it('looks into compressed files', async () => {
    const csv = gzipSync(`id;name\n${'1;佐藤\n'.repeat(100)}`)
    expect(await detect(createBytesSource(csv))).toMatchObject({
      delimiter: ';',
      firstRecord: ['id', 'name'],
    })
  })

  it.each<[Delimiter, string]>([
    [',', 'a,b,c\n1,"x;y;z",3\n4,5,6\n'],
    [';', 'a;b;c\n1,5;"x,y";3\n2,5;5;6\n'],
    ['\t', 'a\tb\n1,5\t2\n3,5\t4\n'],
    ['|', 'a|b|c\nx, y|2|3\nz|5|6\n'],
  ])('knows the delimiter %j', (delimiter, csv) => {
    expect(detectSample(Buffer.from(csv)).delimiter).toBe(delimiter)
  })

  it.each([
    ['LF', '"a\r\nb",c\n1,2\n'],
    ['CRLF', '"a\nb",c\r\n1,2\r\n'],
    ['CR', 'a,c\r1,2\r'],
    ['LF', 'a,b'],
  ])('knows the line end %s', (newline, csv) => {
    expect(detectSample(Buffer.from(csv)).newline).toBe(newline)
  })

  it.each([
    [true, 'id,name\n1,x\n'],
    [false, '1,x\n2,y\n'],
    [false, 'x,x\ny,z\n'],
    [false, 'x,,z\ny,z,a\n'],
  ])('says %j for a header', (header, csv) => {
    expect(detectSample(Buffer.from(csv)).header).toBe(header)
  })

  it('sees quoting, and takes what is known as given', () => {
    expect(detectSample(Buffer.from('a,b\n"1",2\n')).quoted).toBe(true)
    expect(detectSample(Buffer.from('a,b\n1,2\n')).quoted).toBe(false)
    const given = { encoding: 'Shift_JIS', delimiter: ';', newline: 'CR', header: false, quote: '' } as const
    expect(detectSample(Buffer.from('a,b\n1,2\n'), given)).toMatchObject(given)
  })
})
