import { isAscii, isUtf8 } from 'node:buffer'
import type { Encoding } from './dialect.ts'
import { decode } from './text-encoding.ts'

export interface DetectedEncoding {
  readonly encoding: Encoding
  readonly bomBytes: number
  /** From 0 to 1; 1 where a byte order mark says so. */
  readonly confidence: number
}

/** Guesses the encoding from a file's first and, if there is one, last part. */
export function detectEncoding(head: Buffer, tail?: Buffer): DetectedEncoding {
  const marked = byBom(head)
  if (marked) return marked
  const wide = byZeroBytes(head)
  if (wide) return wide
  const parts = tail === undefined ? [head] : [head, tail]
  const text = parts.filter(part => !isAscii(part))
  if (text.length === 0) return { encoding: 'UTF-8', bomBytes: 0, confidence: tail ? 0.95 : 0.9 }
  if (text.every(part => isUtf8(trimUtf8(part)))) return { encoding: 'UTF-8', bomBytes: 0, confidence: 0.99 }
  return byContent(text)
}

function byBom(head: Buffer): DetectedEncoding | undefined {
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

/** Without the character that a part's start or end cuts through. */
function trimUtf8(part: Buffer): Buffer {
  let start = 0
  while (start < 3 && start < part.length && ((part[start] as number) & 0xc0) === 0x80) start += 1
  let end = part.length
  for (let back = 1; back <= 3 && back <= part.length; back += 1) {
    const byte = part[part.length - back] as number
    if ((byte & 0xc0) === 0x80) continue
    if (byte >= 0xc0 && back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2)) end = part.length - back
    break
  }
  return part.subarray(start, end)
}

function byContent(parts: readonly Buffer[]): DetectedEncoding {
  const scores = (['Shift_JIS', 'EUC-JP'] as const).map(encoding => ({
    encoding,
    score: japaneseScore(parts, encoding),
  }))
  const latin = { encoding: 'ISO-8859-1' as const, score: latinScore(parts) }
  const ranked = [...scores, latin].toSorted((a, b) => b.score - a.score)
  const [best, second] = ranked as [(typeof ranked)[0], (typeof ranked)[0]]
  const margin = best.score - second.score
  return { encoding: best.encoding, bomBytes: 0, confidence: Math.min(0.95, Math.max(0.1, 0.5 + margin / 2)) }
}

/** How much like Japanese prose the text is: kana and common kanji count, rare forms hardly. */
function japaneseScore(parts: readonly Buffer[], encoding: 'Shift_JIS' | 'EUC-JP'): number {
  let score = 0
  let characters = 0
  for (const part of parts) {
    const text = decodeLines(part, encoding)
    if (text === undefined) return 0
    for (const character of text) {
      const code = character.codePointAt(0) as number
      if (code < 0x80) continue
      characters += 1
      if (code >= 0x3000 && code <= 0x30ff) score += 1
      else if (code >= 0x4e00 && code <= 0x9fff) score += 0.8
      else if (code >= 0xff01 && code <= 0xff5e) score += 0.8
      else if (code >= 0xff61 && code <= 0xff9f) score += 0.3
      else if (code < 0xe000 || code > 0xf8ff) score += 0.2
    }
  }
  return characters === 0 ? 0 : score / characters
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

/** Accented letters stand among plain ones; runs of high bytes are no western text. */
function latinScore(parts: readonly Buffer[]): number {
  let score = 0
  let high = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 1) {
      const byte = part[at] as number
      if (byte < 0x80) continue
      high += 1
      const alone = !((part[at - 1] ?? 0) >= 0x80) && !((part[at + 1] ?? 0) >= 0x80)
      if (byte >= 0xc0 && alone) score += 0.75
      else if (byte >= 0xa0 && alone) score += 0.6
      else if (byte >= 0xa0) score += 0.25
    }
  }
  return high === 0 ? 0.1 : Math.max(0.1, score / high)
}
