import { array, assert, asyncProperty, integer, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeAwsChunked } from './aws-chunked.ts'

function encode(chunks: readonly Uint8Array[], trailer: string): Buffer {
  const framed = chunks
    .filter(chunk => chunk.length > 0)
    .flatMap(chunk => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])
  return Buffer.concat([...framed, Buffer.from(`0\r\n${trailer}\r\n`)])
}
async function* inPieces(whole: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let start = 0
  for (const size of sizes) {
    yield whole.subarray(start, start + size)
    start += size
  }
  yield whole.subarray(start)
}

describe('decodeAwsChunked', () => {
  it('gives the same however the network cuts the body', async () => {
    const chunks = array(uint8Array({ maxLength: 40 }), { maxLength: 8 })
    await assert(
      asyncProperty(chunks, array(integer({ min: 0, max: 25 })), async (content, sizes) => {
        const body = encode(content, 'x-amz-checksum-crc32:AAAAAA==\r\nOther: a b \r\n')
        const decoded = decodeAwsChunked(inPieces(body, sizes), undefined)
        const received: Buffer[] = []
        for await (const piece of decoded.content) received.push(Buffer.from(piece))
        expect(Buffer.concat(received).equals(Buffer.concat(content))).toBe(true)
        expect(decoded.trailers).toEqual({ 'x-amz-checksum-crc32': 'AAAAAA==', other: 'a b' })
      }),
    )
  })

  it('refuses a body that ends anywhere before its end', async () => {
    const body = encode([Buffer.from('hello'), Buffer.from('world!')], 'a:b\r\n')
    // Without the last line the body is complete all the same: there is nothing that could be missing.
    for (let length = 0; length < body.length - 2; length += 1) {
      const { content } = decodeAwsChunked(inPieces(body.subarray(0, length), []), undefined)
      const read = async (): Promise<void> => {
        for await (const _ of content);
      }
      const complete = body.subarray(0, length).toString().endsWith('0\r\n')
      if (complete) await read()
      else await expect(read()).rejects.toMatchObject({ code: 'IncompleteBody' })
    }
  })
})
