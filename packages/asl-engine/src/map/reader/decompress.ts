import { pipeline, Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { StateFailure } from '../../failures/state-failure.ts'
import { itemReaderFailure } from './item-reader-failure.ts'

/** A file that expands further is an attack: Step Functions reads files of up to 10 GB. */
const maxDecompressedBytes = 10_737_418_240
/** As csv-chunker has it; the first bytes do not count, so that small files may be all zeros. */
const maxCompressionRatio = 500
const ratioGraceBytes = 16 * 1024 * 1024
/** What has to be in memory as a whole: a JSON document, a line, a Parquet file. V8's texts end at 512 MiB. */
const maxWholeBytes = 256 * 1024 * 1024
/** An item is the input of a state, which may hold 256 KiB; the rest is for white space and what a selector drops. */
const maxLineLength = 8 * 1024 * 1024

/** Files whose names end in `.gz` or `.zst` are unpacked as they are read, within limits. */
export function decompress(bytes: AsyncIterable<Uint8Array>, key: string): AsyncIterable<Uint8Array> {
  if (key.endsWith('.gz')) return through(bytes, createGunzip())
  return key.endsWith('.zst') ? through(bytes, createZstdDecompress()) : bytes
}

async function* through(
  bytes: AsyncIterable<Uint8Array>,
  unpacking: NodeJS.ReadWriteStream,
): AsyncGenerator<Uint8Array> {
  let readFailure: unknown
  let bytesIn = 0
  let bytesOut = 0
  const source = Readable.from(
    (async function* read() {
      try {
        for await (const chunk of bytes) {
          bytesIn += chunk.length
          yield chunk
        }
      } catch (error) {
        readFailure = error
        throw error
      }
    })(),
  )
  pipeline(source, unpacking, () => undefined)
  try {
    for await (const chunk of unpacking as AsyncIterable<Uint8Array>) {
      bytesOut += chunk.length
      assertExpansion(bytesIn, bytesOut)
      yield chunk
    }
  } catch (error) {
    if (error instanceof StateFailure) throw error
    throw readFailure ?? itemReaderFailure('Attempting to read a file that cannot be decompressed.')
  }
}

function assertExpansion(bytesIn: number, bytesOut: number): void {
  if (bytesOut > maxDecompressedBytes)
    throw itemReaderFailure(
      `Attempting to read a file that decompresses to more than ${maxDecompressedBytes} bytes.`,
    )
  if (bytesOut > ratioGraceBytes && bytesOut > bytesIn * maxCompressionRatio)
    throw itemReaderFailure(
      `Attempting to read a file that decompresses to more than ${maxCompressionRatio} times its size.`,
    )
}

/** So much becomes text at once: what is read at one time should not outlive the young generation of the heap. */
const pieceBytes = 4096

export async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += pieceBytes)
      yield decoder.decode(chunk.subarray(at, at + pieceBytes), { stream: true })
  }
  yield decoder.decode()
}

/** @throws StateFailure for more bytes than fit into memory */
export async function* limitWhole(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > maxWholeBytes)
      throw itemReaderFailure(
        `Attempting to read a file of more than ${maxWholeBytes} bytes as a whole. Use CSV or JSON Lines for large files.`,
      )
    yield chunk
  }
}

/** A whole file as text. */
export async function readWhole(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let whole = ''
  for await (const chunk of decode(limitWhole(bytes))) whole += chunk
  return whole
}

export function assertLineLength(length: number): void {
  if (length > maxLineLength)
    throw itemReaderFailure(`Attempting to read a line of more than ${maxLineLength} characters.`)
}

/** Lists of lines that are not blank, in time linear to their length. */
export async function* readLines(text: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest = ''
  for await (const chunk of text) {
    const [first = '', ...others] = chunk.split('\n')
    // Joined, and not searched again: a search makes one text of all pieces.
    rest += first
    assertLineLength(rest.length)
    const last = others.pop()
    if (last === undefined) continue
    const lines = [rest, ...others]
    rest = last
    yield lines.filter(line => line.trim() !== '')
  }
  if (rest.trim() !== '') yield [rest]
}
