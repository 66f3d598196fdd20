import { cr, type Dialect, lf } from '../dialect/dialect.ts'
import type { ByteReader } from './byte-source.ts'

/** Changes bytes as they come, each at its own place: offsets stay those of the file, and chunks can be read alone. */
export type ByteTransform = (bytes: Uint8Array) => void

/**
 * What a dialect's bytes need before they are scanned; they begin where a record does. Doing it a second time
 * changes nothing.
 */
export function createTransform({
  encoding,
  newline,
  quote,
}: Pick<Dialect, 'encoding' | 'newline' | 'quote'>): ByteTransform | undefined {
  const characters = encoding === 'ISO-2022-JP' ? createJisTransform() : undefined
  const lines = newline === 'CRCRLF' ? createLineTransform(quote) : undefined
  if (!characters) return lines
  return bytes => {
    characters(bytes)
    lines?.(bytes)
  }
}

export function createTransformedReader(
  reader: ByteReader,
  dialect: Pick<Dialect, 'encoding' | 'newline' | 'quote'>,
): ByteReader {
  const transform = createTransform(dialect)
  return transform ? transformedBy(reader, transform) : reader
}

export function transformedBy(reader: ByteReader, transform: ByteTransform): ByteReader {
  return {
    async read(into) {
      const bytes = await reader.read(into)
      transform(into.subarray(0, bytes))
      return bytes
    },
    close: () => reader.close(),
  }
}

const esc = 0x1b
const dollar = 0x24
const parenthesis = 0x28

/**
 * ISO-2022-JP becomes EUC-JP, which has the same characters with the high bit set, so that none of them looks like a
 * quote or a comma. The escape sequences stay where they are, and are taken out of the text. Every line begins in
 * ASCII (RFC 1468).
 */
function createJisTransform(): ByteTransform {
  let isDouble = false
  /** The bytes of an escape sequence so far. */
  let sequence: readonly number[] = []
  return bytes => {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number
      if (byte === esc) sequence = [esc]
      else if (sequence.length === 1 && (byte === dollar || byte === parenthesis)) sequence = [esc, byte]
      else if (sequence.length === 2) {
        isDouble = sequence[1] === dollar
        sequence = []
      } else {
        sequence = []
        if (byte === lf || byte === cr) isDouble = false
        else if (isDouble && byte > 0x20 && byte < 0x7f) bytes[at] = byte | 0x80
      }
    }
  }
}

/** CR CR LF becomes CR LF and an empty line, which is no record; inside quotes it is text, and stays. */
function createLineTransform(quote: Dialect['quote']): ByteTransform {
  const mark = quote === '' ? -1 : quote.charCodeAt(0)
  let isInside = false
  let isAfterCr = false
  return bytes => {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]
      if (byte === mark) isInside = !isInside
      const isCr = byte === cr && !isInside
      if (isCr && isAfterCr) bytes[at] = lf
      isAfterCr = isCr && !isAfterCr
    }
  }
}
