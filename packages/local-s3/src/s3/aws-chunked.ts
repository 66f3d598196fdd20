import { createHash } from 'node:crypto'
import { type Authorization, sameText } from './authorize.ts'
import { S3Error } from './s3-error.ts'
import { sha256Hex } from './sha256.ts'

export interface ChunkedBody {
  /** The content without its framing; throws when the framing or a signature is wrong. */
  readonly content: AsyncIterable<Buffer>
  /** Complete when the content has been read. */
  readonly trailers: Readonly<Record<string, string>>
}

const maxLineBytes = 16 * 1024

/** Decodes `Content-Encoding: aws-chunked`; with `signed`, verifies each chunk's signature and the trailer's. */
export function decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  signed: Authorization | undefined,
): ChunkedBody {
  const trailers: Record<string, string> = {}
  return { content: decode(source, signed, trailers), trailers }
}

async function* decode(
  source: AsyncIterable<Buffer>,
  signed: Authorization | undefined,
  trailers: Record<string, string>,
): AsyncGenerator<Buffer> {
  const reader = createReader(source)
  try {
    yield* decodeFrom(reader, signed, trailers)
    await reader.end()
  } finally {
    await reader.close()
  }
}

async function* decodeFrom(
  reader: Reader,
  signed: Authorization | undefined,
  trailers: Record<string, string>,
): AsyncGenerator<Buffer> {
  let previous = signed?.signature ?? ''
  for (;;) {
    const [, size, signature] = /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(
      await reader.line(),
    ) ?? [undefined, undefined, undefined]
    if (size === undefined) throw new S3Error('InvalidRequest', 'a chunk of the body has no valid size')
    const length = Number.parseInt(size, 16)
    const hash = createHash('sha256')
    for await (const piece of reader.bytes(length)) {
      if (signed !== undefined) hash.update(piece)
      yield piece
    }
    if (signed !== undefined) {
      previous = verify(signed, signature, [
        'AWS4-HMAC-SHA256-PAYLOAD',
        signed.amzDate,
        signed.scope,
        previous,
        sha256Hex(''),
        hash.digest('hex'),
      ])
    }
    if (length === 0) break
    if ((await reader.line()) !== '') throw new S3Error('IncompleteBody')
  }
  await readTrailers(reader, trailers)
  const trailerSignature = trailers['x-amz-trailer-signature']
  delete trailers['x-amz-trailer-signature']
  if (signed !== undefined && Object.keys(trailers).length > 0) {
    const text = Object.entries(trailers)
      .map(([name, value]) => `${name}:${value}\n`)
      .join('')
    verify(signed, trailerSignature, [
      'AWS4-HMAC-SHA256-TRAILER',
      signed.amzDate,
      signed.scope,
      previous,
      sha256Hex(text),
    ])
  }
}

function verify(signed: Authorization, signature: string | undefined, lines: readonly string[]): string {
  const expected = signed.sign(lines)
  if (!sameText(expected, signature ?? '')) throw new S3Error('SignatureDoesNotMatch')
  return expected
}

async function readTrailers(reader: Reader, trailers: Record<string, string>): Promise<void> {
  for (;;) {
    const line = await reader.line('at end')
    if (line === '') return
    const [, name, value] = /^([!-9;-~]+):(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new S3Error('MalformedTrailerError')
    trailers[name.toLowerCase()] = value.trim()
  }
}

interface Reader {
  /** The next line without CRLF; the end of the source is an empty line only where it may come. */
  line(mayEnd?: 'at end'): Promise<string>
  bytes(length: number): AsyncGenerator<Buffer>
  /** Waits for the end of the source, which may come later than that of its content. */
  end(): Promise<void>
  close(): Promise<void>
}

function createReader(source: AsyncIterable<Buffer>): Reader {
  const iterator = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const next = await iterator.next()
    if (next.done) return false
    buffered = buffered.length === 0 ? next.value : Buffer.concat([buffered, next.value])
    return true
  }
  return {
    async line(mayEnd) {
      for (;;) {
        const end = buffered.indexOf('\r\n')
        if (end !== -1) {
          const text = buffered.toString('latin1', 0, end)
          buffered = buffered.subarray(end + 2)
          return text
        }
        if (buffered.length > maxLineBytes)
          throw new S3Error('InvalidRequest', 'a line of the body is too long')
        if (!(await more())) {
          if (mayEnd === 'at end' && buffered.length === 0) return ''
          throw new S3Error('IncompleteBody')
        }
      }
    },
    async *bytes(length) {
      let left = length
      while (left > 0) {
        if (buffered.length === 0 && !(await more())) throw new S3Error('IncompleteBody')
        const piece = buffered.subarray(0, left)
        buffered = buffered.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    },
    async end() {
      do {
        if (buffered.length > 0) throw new S3Error('InvalidRequest', 'the body goes on behind its end')
      } while (await more())
    },
    async close() {
      await iterator.return?.()
    },
  }
}
