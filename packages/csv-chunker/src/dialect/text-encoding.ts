import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { type Encoding, isLatin } from './dialect.ts'

/** Decodes whole characters; `undefined` if the bytes are no text in this encoding. */
export function decode(bytes: Buffer, encoding: Encoding): string | undefined {
  switch (encoding) {
    case 'UTF-8':
      return isUtf8(bytes) ? bytes.toString('utf8') : undefined
    case 'ISO-8859-1':
      return bytes.toString('latin1')
    case 'Windows-1252':
      return unassigned.test(bytes.toString('latin1')) ? undefined : decodeWindows1252(bytes)
    default:
      try {
        const text = strictDecoder(encoding).decode(bytes)
        return encoding === 'ISO-2022-JP' && otherEscape.test(text) ? undefined : text
      } catch {
        return undefined
      }
  }
}

/** ISO-2022-JP is decoded from what `createTransform` makes of it. */
function decoderName(encoding: Encoding): string {
  return encoding === 'ISO-2022-JP' ? 'EUC-JP' : encoding
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences are what is looked for
const escapes = /\x1b(?:\$[@B]|\([BJ])/g
/** Of half-width kana and other sets, which have no place in EUC-JP. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const otherEscape = /\x1b(?!\$[@B]|\([BJ])/

/** A field without what ISO-2022-JP has between its characters. */
export function withoutEscapes(text: string): string {
  return text.replace(escapes, '')
}

/** Decodes what it can; broken bytes become U+FFFD. */
export function decodeLoosely(bytes: Buffer, encoding: Encoding): string {
  if (encoding === 'UTF-8') return bytes.toString('utf8')
  if (encoding === 'ISO-8859-1') return bytes.toString('latin1')
  if (encoding === 'Windows-1252') return decodeWindows1252(bytes)
  return new TextDecoder(decoderName(encoding), { ignoreBOM: true }).decode(bytes)
}

/** From 0x80 to 0x9F. Node's own decoder took them for control characters in some versions. */
const windows1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'
const unassigned = /[\x81\x8d\x8f\x90\x9d]/

function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, character => windows1252[character.charCodeAt(0) - 0x80] as string)
}

const decoders = new Map<Encoding, TextDecoder>()

function strictDecoder(encoding: Encoding): TextDecoder {
  let decoder = decoders.get(encoding)
  if (!decoder) {
    decoder = new TextDecoder(decoderName(encoding), { fatal: true, ignoreBOM: true })
    decoders.set(encoding, decoder)
  }
  return decoder
}

/** How many bytes the first `units` UTF-16 code units of valid text take. */
export function bytesOfUnits(bytes: Uint8Array, units: number, encoding: Encoding): number {
  if (isLatin(encoding)) return units
  if (encoding === 'UTF-16LE' || encoding === 'UTF-16BE') return units * 2
  let at = 0
  for (let left = units; left > 0 && at < bytes.length; ) {
    const size = characterBytes(bytes, at, encoding)
    left -= size === 4 ? 2 : 1
    at += size
  }
  return at
}

/** The length of the character that starts with the byte at `at`, by its lead byte. */
function characterBytes(bytes: Uint8Array, at: number, encoding: Encoding): number {
  const lead = bytes[at] as number
  if (lead < 0x80 || isLatin(encoding)) return 1
  if (encoding === 'Shift_JIS') return lead <= 0x80 || (lead >= 0xa0 && lead <= 0xdf) ? 1 : 2
  if (encoding === 'EUC-JP' || encoding === 'ISO-2022-JP')
    return lead === 0x8f ? 3 : lead === 0x8e || lead >= 0xa1 ? 2 : 1
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
}

/** The offset of the first byte that is no text in this encoding, or -1. `bytes` starts with a whole character. */
export function firstInvalidByte(bytes: Buffer, encoding: Encoding): number {
  if (decode(bytes, encoding) !== undefined) return -1
  const wide = encoding === 'UTF-16LE' || encoding === 'UTF-16BE'
  const unknown = encoding === 'ISO-2022-JP' ? bytes.toString('latin1').search(otherEscape) : -1
  const end = unknown < 0 ? bytes.length : unknown
  let at = skipValid(bytes, encoding)
  while (at < end) {
    const size = wide ? utf16Bytes(bytes, at, encoding) : characterBytes(bytes, at, encoding)
    const character = bytes.subarray(at, at + size)
    const plain = !wide && (bytes[at] as number) < 0x80
    if (!plain && (character.length < size || decode(character, encoding) === undefined)) return at
    at += size
  }
  return end
}

/** Steps over stretches that are text as a whole: looking at each character of a long row takes too long. */
function skipValid(bytes: Buffer, encoding: Encoding): number {
  const stretch = 1024
  for (let start = 0; ; ) {
    let end = start
    while (end < bytes.length && end - start < stretch) {
      const wide = encoding === 'UTF-16LE' || encoding === 'UTF-16BE'
      end += wide ? utf16Bytes(bytes, end, encoding) : characterBytes(bytes, end, encoding)
    }
    if (start >= bytes.length || decode(bytes.subarray(start, end), encoding) === undefined) return start
    start = end
  }
}

function utf16Bytes(bytes: Uint8Array, at: number, encoding: Encoding): number {
  const high = bytes[encoding === 'UTF-16LE' ? at + 1 : at] ?? 0
  return high >= 0xd8 && high <= 0xdb ? 4 : 2
}
