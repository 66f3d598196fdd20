import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readRows } from '../read/read-rows.ts'
import { splitToManifest } from '../split/split.ts'
import { validate } from '../validate/validate.ts'
import { createBytesSource } from './byte-source.ts'

const csv = `id,name\n${Array.from({ length: 20_000 }, (_, row) => `${row},佐藤${row}`).join('\n')}\n`

async function count(bytes: Buffer): Promise<number> {
  let rows = 0
  for await (const batch of readRows(createBytesSource(bytes))) rows += batch.rows.length
  return rows
}

describe('compressed input', () => {
  it('is read as what it holds', async () => {
    expect(await count(gzipSync(csv))).toBe(20_000)
    expect(await count(zstdCompressSync(csv))).toBe(20_000)
    expect(await validate(createBytesSource(gzipSync(csv)))).toMatchObject({
      isValid: true,
      rowCount: 20_000,
    })
  })

  it('may be made of several gzip members', async () => {
    const half = csv.indexOf('\n', csv.length / 2) + 1
    expect(await count(Buffer.concat([gzipSync(csv.slice(0, half)), gzipSync(csv.slice(half))]))).toBe(20_000)
  })

  it('is refused when it is broken or cut', async () => {
    for (const whole of [gzipSync(csv), zstdCompressSync(csv)]) {
      const broken = Buffer.from(whole)
      broken.fill(0xff, 50, 90)
      for (const bytes of [broken, whole.subarray(0, whole.length / 2)]) {
        await expect(count(bytes)).rejects.toMatchObject({ code: 'COMPRESSED_DATA_BROKEN' })
      }
    }
  })

  it('has no byte ranges', async () => {
    const split = splitToManifest(createBytesSource(gzipSync(csv)))
    await expect(split).rejects.toMatchObject({ code: 'COMPRESSED_SOURCE' })
  })

  it('is refused when it is a bomb', async () => {
    const bomb = Buffer.from(`a\n${'0\n'.repeat(20 * 1024 * 1024)}`)
    for (const bytes of [gzipSync(bomb), zstdCompressSync(bomb)]) {
      const { statistics } = await validate(createBytesSource(bytes))
      expect(statistics.validationErrors).toMatchObject([{ code: 'DECOMPRESSED_TOO_LARGE' }])
    }
    const limits = { maxDecompressedBytes: 100_000 }
    const { statistics } = await validate(createBytesSource(gzipSync(csv)), { limits })
    expect(statistics.validationErrors).toMatchObject([{ code: 'DECOMPRESSED_TOO_LARGE' }])
  }, 30_000)
})
