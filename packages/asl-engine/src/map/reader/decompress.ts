import { pipeline, Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { itemReaderFailure } from './item-reader-failure.ts'

/** Files whose names end in `.gz` or `.zst` are unpacked as they are read. */
export function decompress(bytes: AsyncIterable<Uint8Array>, key: string): AsyncIterable<Uint8Array> {
  if (key.endsWith('.gz')) return through(bytes, createGunzip())
  return key.endsWith('.zst') ? through(bytes, createZstdDecompress()) : bytes
}

async function* through(
  bytes: AsyncIterable<Uint8Array>,
  unpacking: NodeJS.ReadWriteStream,
): AsyncGenerator<Uint8Array> {
  let readFailure: unknown
  const source = Readable.from(
    (async function* read() {
      try {
        yield* bytes
      } catch (error) {
        readFailure = error
        throw error
      }
    })(),
  )
  pipeline(source, unpacking, () => undefined)
  try {
    for await (const chunk of unpacking) yield chunk as unknown as Uint8Array
  } catch {
    throw readFailure ?? itemReaderFailure('Attempting to read a file that cannot be decompressed.')
  }
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

export async function readWhole(text: AsyncIterable<string>): Promise<string> {
  let whole = ''
  for await (const chunk of text) whole += chunk
  return whole
}

export async function* readLines(text: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield lines.filter(line => line.trim() !== '')
  }
  if (rest.trim() !== '') yield [rest]
}
