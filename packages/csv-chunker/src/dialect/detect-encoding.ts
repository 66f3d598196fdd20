import { isAscii, isUtf8 } from 'node:buffer'
import { type Encoding, isLatin } from './dialect.ts'
import { decode } from './text-encoding.ts'

export interface DetectedEncoding {
  readonly encoding: Encoding
  readonly bomBytes: number
  /** From 0 to 1; 1 where a byte order mark says so. */
  readonly confidence: number
}

/** UTF-8 in which some bytes are broken is still UTF-8: who reads it refuses those bytes, by their place. */
const minUtf8Share = 0.6
/** In a few bytes of another encoding, two that happen to be UTF-8 are much. */
const minShareOfFew = 0.8
const few = 12

/** Guesses the encoding from a file's first and, if there is one, last part. */
export function detectEncoding(
  head: Buffer,
  tail?: Buffer,
  possible?: readonly Encoding[],
): DetectedEncoding {
  const marked = byBom(head)
  if (marked) return marked
  const wide = byZeroBytes(head)
  if (wide) return wide
  const parts = tail === undefined ? [head] : [head, tail]
  const text = parts.filter(part => !isAscii(part))
  if (text.length === 0 && parts.some(hasJisEscapes)) {
    return { encoding: 'ISO-2022-JP', bomBytes: 0, confidence: 0.99 }
  }
  if (text.length === 0) return { encoding: 'UTF-8', bomBytes: 0, confidence: tail ? 0.95 : 0.9 }
  const trimmed = text.map(part => trimUtf8(part, part === tail))
  if (trimmed.every(isUtf8)) return { encoding: 'UTF-8', bomBytes: 0, confidence: 0.99 }
  const { share, high } = utf8Share(trimmed)
  if (share >= (high < few ? minShareOfFew : minUtf8Share))
    return { encoding: 'UTF-8', bomBytes: 0, confidence: share }
  return byContent(text, possible)
}

/** ISO-2022-JP switches to Japanese by these; all its bytes are ASCII. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences are what is looked for
const jisEscape = /\x1b(?:\$[@B]|\([IJ])/

function hasJisEscapes(part: Buffer): boolean {
  return part.includes(0x1b) && jisEscape.test(part.toString('latin1'))
}

export function byBom(head: Buffer): DetectedEncoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) {
    return { encoding: 'UTF-8', bomBytes: 3, confidence: 1 }
  }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'UTF-16LE', bomBytes: 2, confidence: 1 }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'UTF-16BE', bomBytes: 2, confidence: 1 }
  return undefined
}

/** In UTF-16 the delimiters and line ends have a zero byte, always on the same side. */
function byZeroBytes(head: Buffer): DetectedEncoding | undefined {
  let even = 0
  let odd = 0
  for (let at = head.indexOf(0); at >= 0; at = head.indexOf(0, at + 1)) {
    if (at % 2 === 0) even += 1
    else odd += 1
  }
  const most = Math.max(even, odd)
  if (most < 2 || most < head.length / 100 || Math.min(even, odd) > most / 20) return undefined
  return { encoding: odd > even ? 'UTF-16LE' : 'UTF-16BE', bomBytes: 0, confidence: 0.9 }
}

/** Without the character that a part's end or, in the tail, its start cuts through. */
function trimUtf8(part: Buffer, isTail: boolean): Buffer {
  let start = 0
  while (isTail && start < 3 && start < part.length && ((part[start] as number) & 0xc0) === 0x80) start += 1
  let end = part.length
  for (let back = 1; back <= 3 && back <= part.length; back += 1) {
    const byte = part[part.length - back] as number
    if ((byte & 0xc0) === 0x80) continue
    if (byte >= 0xc0 && back < utf8Bytes(byte)) end = part.length - back
    break
  }
  return part.subarray(start, end)
}

function utf8Bytes(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
}

/** How many bytes are not ASCII, and the share of them that belongs to whole characters of UTF-8, from 0 to 1. */
function utf8Share(parts: readonly Buffer[]): { readonly share: number; readonly high: number } {
  let high = 0
  let whole = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const lead = part[at] as number
      const size = lead < 0x80 ? 1 : utf8Bytes(lead)
      const valid = lead >= 0xc2 && lead <= 0xf4 && isUtf8(part.subarray(at, at + size))
      if (lead >= 0x80) high += valid ? size : 1
      if (valid) whole += size
      at += valid ? size : 1
    }
  }
  return { share: whole / high, high }
}

function byContent(parts: readonly Buffer[], possible?: readonly Encoding[]): DetectedEncoding {
  const kanaOnly = onlyKanaBytes(parts)
  const eucScore = japaneseScore(parts, 'EUC-JP', 0.3)
  const euc = !kanaOnly || eucScore === 0 ? 1 : probabilityOfEuc(parts)
  const candidates = [
    { encoding: 'Shift_JIS' as const, score: japaneseScore(parts, 'Shift_JIS', kanaOnly ? 0.8 : 0.3) },
    { encoding: 'EUC-JP' as const, score: eucScore },
    { encoding: latinEncoding(parts), score: latinScore(parts) },
  ]
  // Of two readings that are both Japanese, the more probable one counts.
  const ranked = candidates
    .filter(({ encoding }) => possible === undefined || possible.includes(encoding))
    .filter(
      ({ encoding }) => !(kanaOnly && eucScore > 0) || encoding !== (euc < 0.5 ? 'EUC-JP' : 'Shift_JIS'),
    )
    .toSorted((a, b) => b.score - a.score)
  const [best, second] = ranked
  if (best === undefined) return { encoding: 'UTF-8', bomBytes: 0, confidence: 0.5 }
  const margin = best.score - (second?.score ?? 0)
  const isUndecided = kanaOnly && euc > 1 - minProbability && euc < minProbability && !isLatin(best.encoding)
  return {
    encoding: best.encoding,
    bomBytes: 0,
    confidence: isUndecided ? 0.5 : Math.min(0.95, 0.5 + margin / 2),
  }
}

/** A reading of a few characters that is less probable than this is a guess. */
const minProbability = 0.95

/** How much like Japanese prose the text is: kana and common kanji count, rare forms hardly. */
function japaneseScore(
  parts: readonly Buffer[],
  encoding: 'Shift_JIS' | 'EUC-JP',
  halfWidthKana: number,
): number {
  let score = 0
  let characters = 0
  for (const part of parts) {
    const text = decodeLines(part, encoding)
    if (text === undefined) return 0
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code < 0x80) continue
      characters += 1
      const halfWidth = code >= 0xff61 && code <= 0xff9f
      if (standsAlone(text, at, halfWidth)) score += 0.2
      else if (halfWidth) score += halfWidthKana
      else if (code >= 0x3000 && code <= 0x30ff) score += 1
      else if (code >= 0x4e00 && code <= 0x9fff) score += 0.8
      else if (code >= 0xff01 && code <= 0xff5e) score += 0.8
      else if (code < 0xe000 || code > 0xf8ff) score += 0.2
    }
  }
  return characters === 0 ? 0 : score / characters
}

/** One Japanese character between Latin letters is more likely an accented letter and its neighbour. */
function standsAlone(text: string, at: number, halfWidth: boolean): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at + 1)]
  if (before >= 0x80 || after >= 0x80) return false
  return halfWidth || isLetter(before) || isLetter(after)
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

/** Whether all bytes that are not ASCII are from 0xA1 to 0xDF: half-width kana, if it is Shift_JIS. */
function onlyKanaBytes(parts: readonly Buffer[]): boolean {
  return parts.every(part => part.every(byte => byte < 0x80 || (byte >= 0xa1 && byte <= 0xdf)))
}

/**
 * How probable it is that text which is half-width kana in Shift_JIS is EUC-JP instead, from 0 to 1: by how often
 * either has such bytes. Two bytes can be two kana or one kanji, and only a few characters tell.
 */
function probabilityOfEuc(parts: readonly Buffer[]): number {
  let odds = 0
  for (const part of parts) {
    for (let at = 0; at + 1 < part.length; at += 1) {
      const [lead, trail] = [part[at] as number, part[at + 1] as number]
      if (lead < 0x80 || trail < 0x80) continue
      // A word of kana has an even number of them only every second time.
      if ((part[at - 1] ?? 0) < 0x80) odds += Math.LN2
      const kana = kanaFrequency(lead, part[at - 1] ?? 0) * kanaFrequency(trail, lead)
      odds += Math.log(leadFrequency(lead) / 94) - Math.log(kana)
      at += 1
    }
  }
  return 1 / (1 + Math.exp(-odds))
}

/** How often a character of EUC-JP begins with this byte, of those from 0xA1 to 0xDF. */
function leadFrequency(lead: number): number {
  if (lead === 0xa4) return 0.3
  if (lead === 0xa5) return 0.12
  if (lead === 0xa1 || lead === 0xa3) return 0.05
  if (lead >= 0xb0 && lead <= 0xcf) return 0.45 / 32
  return lead >= 0xd0 ? 0.01 / 16 : 0.001
}

/** How often half-width text has this byte after the other. */
function kanaFrequency(byte: number, before: number): number {
  const isVoiced = byte === 0xde && (before === 0xb3 || (before >= 0xb6 && before <= 0xc4))
  if (isVoiced || (byte >= 0xde && before >= 0xca && before <= 0xce)) return 0.15
  // A mark of voice that nothing before it can have.
  if (byte >= 0xde) return 0.0005
  if (byte >= 0xb1) return 0.8 / 45
  return byte >= 0xa7 ? 0.06 / 10 : 0.002
}

/** Whole lines decode whether or not the part starts or ends inside a character. */
function decodeLines(part: Buffer, encoding: Encoding): string | undefined {
  const first = part.indexOf(0x0a)
  const last = part.lastIndexOf(0x0a)
  const whole = decode(part, encoding)
  if (whole !== undefined || last <= first)
    return whole ?? decode(part.subarray(0, Math.max(0, last)), encoding)
  return decode(part.subarray(0, last), encoding) ?? decode(part.subarray(first + 1, last), encoding)
}

/** What Windows has where ISO-8859-1 has control characters, and no text has: quotes, dashes, the euro. */
function latinEncoding(parts: readonly Buffer[]): 'Windows-1252' | 'ISO-8859-1' {
  return parts.some(part => part.some(byte => byte >= 0x80 && byte < 0xa0)) ? 'Windows-1252' : 'ISO-8859-1'
}

/** Euro, ellipsis, quotes, bullet, dashes, trade mark. */
const windowsMarks = new Set([0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99])

/** Accented letters stand among plain ones; runs of high bytes are not western text. */
function latinScore(parts: readonly Buffer[]): number {
  let score = 0
  let high = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 1) {
      const byte = part[at] as number
      if (byte < 0x80) continue
      high += 1
      const mark = windowsMarks.has(byte)
      const alone = [part[at - 1] ?? 0, part[at + 1] ?? 0].every(
        near => near < 0x80 || (mark ? near >= 0xc0 : windowsMarks.has(near)),
      )
      if (byte >= 0xc0 && alone) score += 0.75
      else if (byte >= 0xa0 && alone) score += 0.6
      else if (alone && mark) score += 0.6
      else if (byte >= 0xa0) score += 0.25
    }
  }
  return high === 0 ? 0.1 : Math.max(0.1, score / high)
}
