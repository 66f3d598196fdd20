import { describe, expect, it } from 'vitest'
import { detect } from '../src/open/detect.ts'
import { readChunk } from '../src/read/read-rows.ts'
import { createBytesSource } from '../src/source/byte-source.ts'
import { splitToManifest } from '../src/split/split.ts'
import { splitToObjects } from '../src/split/split-to-objects.ts'
import { check, validate } from '../src/validate/validate.ts'
import { encode } from './encode.ts'
import { rowsOf } from './rows-of.ts'

async function readByChunks(bytes: Buffer): Promise<unknown[]> {
  const source = createBytesSource(bytes)
  const manifest = await splitToManifest(source, { rowsPerChunk: 1 })
  const rows: unknown[] = []
  for (const chunk of manifest.chunks) {
    for await (const batch of readChunk(source, manifest, chunk)) rows.push(...batch.rows)
  }
  return rows
}

describe('a file in ISO-2022-JP', () => {
  const text = '氏名,住所\n"山田、 ""太郎""",東京，港区\n佐藤 A,"大阪\n北区"\n'
  const bytes = encode(text, 'ISO-2022-JP')
  const rows = [
    { 氏名: '山田、 "太郎"', 住所: '東京，港区' },
    { 氏名: '佐藤 A', 住所: '大阪\n北区' },
  ]

  it('is read whole and by chunks, although its characters have the bytes of quotes and commas', async () => {
    expect(bytes.every(byte => byte < 0x80)).toBe(true)
    expect(await rowsOf(bytes)).toEqual(rows)
    expect(await readByChunks(bytes)).toEqual(rows)
  })

  it('is detected, and validated', async () => {
    expect(await detect(createBytesSource(bytes))).toMatchObject({
      encoding: 'ISO-2022-JP',
      delimiter: ',',
      firstRecord: ['氏名', '住所'],
    })
    const expectedColumns = ['氏名', '住所']
    const source = createBytesSource(bytes)
    const { validation, manifest } = await check(source, { expectedColumns }, {})
    expect(validation).toMatchObject({ isValid: true, rowCount: 2, encoding: 'ISO-2022-JP' })
    expect(manifest).toEqual(await splitToManifest(source))
  })

  it('is not cut into objects, which nobody else could read', async () => {
    const target = { put: async () => {} }
    await expect(splitToObjects(createBytesSource(bytes), target, { id: 'a' })).rejects.toMatchObject({
      code: 'UNSUPPORTED_ENCODING',
    })
  })
})

describe('a file whose lines end with CR CR LF', () => {
  const bytes = Buffer.from('\r\r\na,b\r\r\n1,2\r\r\n\r\r\n"3\r\r\n",4\r\r\n5,"6"\r\r\n')
  const rows = [
    { a: '1', b: '2' },
    { a: '3\r\r\n', b: '4' },
    { a: '5', b: '6' },
  ]

  it('is read whole and by chunks; what is quoted stays as it is', async () => {
    expect(await rowsOf(bytes)).toEqual(rows)
    expect(await readByChunks(bytes)).toEqual(rows)
  })

  it('is detected, and validated', async () => {
    const found = await detect(createBytesSource(bytes.subarray(3)))
    expect(found).toMatchObject({ newline: 'CRCRLF', firstRecord: ['a', 'b'] })
    expect(await validate(createBytesSource(bytes))).toMatchObject({ isValid: true, rowCount: 3 })
  })
})
