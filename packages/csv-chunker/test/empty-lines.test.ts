import { describe, expect, it } from 'vitest'
import { createBytesSource } from '../src/source/byte-source.ts'
import { splitToManifest } from '../src/split/split.ts'
import { check } from '../src/validate/validate.ts'
import { rowsOf } from './rows-of.ts'

const limits = { maxRowBytes: 100 }

describe('more empty lines between rows than a row may be long', () => {
  it.each<[string, (text: string) => Buffer]>([
    ['LF', text => Buffer.from(text)],
    ['CRLF', text => Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['CR', text => Buffer.from(text.replaceAll('\n', '\r'))],
    ['CR CR LF', text => Buffer.from(text.replaceAll('\n', '\r\r\n'))],
    ['CRLF in UTF-16', text => Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le')],
  ])('are no reason to refuse a file, whoever looks at it: %s', async (_, encoded) => {
    const bytes = encoded(`a,b\n1,2\n${'\n'.repeat(1001)}3,4\n${'\n'.repeat(1000)}`)
    const source = createBytesSource(bytes)
    for (const blockBytes of [16, 30, 64, 1000]) {
      const manifest = await splitToManifest(source, { limits, blockBytes })
      expect(manifest.rowCount).toBe(2)
      expect((await check(source, { limits }, {})).manifest).toEqual(manifest)
    }
    expect(await rowsOf(bytes, { limits })).toHaveLength(2)
  })

  it('do not hide a row that is too long', async () => {
    for (const blockBytes of [16, 30, 64, 1000]) {
      const long = Buffer.from(`a\n1\n${'\n'.repeat(1001)}${'x'.repeat(4000)}`)
      await expect(splitToManifest(createBytesSource(long), { limits, blockBytes })).rejects.toMatchObject({
        code: 'ROW_TOO_LONG',
      })
    }
  })
})
