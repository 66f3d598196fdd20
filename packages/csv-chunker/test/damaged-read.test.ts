import { describe, expect, it } from 'vitest'
import { readChunk } from '../src/read/read-rows.ts'
import { createBytesSource } from '../src/source/byte-source.ts'
import { splitToManifest } from '../src/split/split.ts'

const csv = Buffer.from(`id,n\n${'1,2\n'.repeat(5000)}`)

async function readAll(bytes: Buffer, etag: string | undefined, digest: 'crc-32' | 'sha-256' | 'none') {
  const manifest = await splitToManifest(createBytesSource(csv, etag), { digest })
  const [chunk] = manifest.chunks
  if (!chunk) throw new Error('there is no chunk')
  let rows = 0
  for await (const batch of readChunk(createBytesSource(bytes, etag), manifest, chunk))
    rows += batch.rows.length
  return rows
}

describe('readChunk compares with the manifest', () => {
  const flipped = Buffer.from(csv)
  flipped[12_345] = 0x39
  const shorter = csv.subarray(0, -4)

  it.each(['crc-32', 'sha-256'] as const)('what the bytes are: %s', async digest => {
    expect(await readAll(csv, '"1"', digest)).toBe(5000)
    await expect(readAll(flipped, '"1"', digest)).rejects.toMatchObject({
      name: 'TemporaryError',
      code: 'READ_DAMAGED',
    })
    await expect(readAll(flipped, undefined, digest)).rejects.toMatchObject({
      name: 'ConflictError',
      code: 'SOURCE_CHANGED',
    })
  })

  it('how many bytes and rows there are, also without a digest', async () => {
    expect(await readAll(flipped, '"1"', 'none')).toBe(5000)
    await expect(readAll(shorter, '"1"', 'none')).rejects.toMatchObject({ code: 'READ_DAMAGED' })
    await expect(
      readAll(Buffer.from(csv.toString().replace(/1,2\n1,2\n$/, '1,2345\n\n')), '"1"', 'none'),
    ).rejects.toMatchObject({
      name: 'ConflictError',
      details: { rows: 4999, rowCount: 5000 },
    })
  })
})
