import { detectEncoding } from '../dialect/detect-encoding.ts'
import {
  cr,
  type Delimiter,
  type Dialect,
  type Encoding,
  lf,
  marksOf,
  type Newline,
  unitBytes,
} from '../dialect/dialect.ts'
import { decodeLoosely, withoutEscapes } from '../dialect/text-encoding.ts'
import { defaultLimits } from '../limits.ts'
import { assertCsvOptions } from '../options.ts'
import { isEmptyLine, parseRecord } from '../scan/parse-record.ts'
import type { ByteSource } from '../source/byte-source.ts'
import { openContent, readPart, sampleBytes } from '../source/open-content.ts'
import { createTransform } from '../source/transformed-reader.ts'

/** A dialect as it was guessed, with what the guess rests on. */
export interface Detection extends Dialect {
  /** How sure the encoding and the delimiter are, from 0 to 1. */
  readonly confidence: number
  /** How sure the encoding alone is. */
  readonly encodingConfidence: number
  /** Whether any field of the sample is quoted. */
  readonly quoted: boolean
  /** The first record of the sample. */
  readonly firstRecord: readonly string[]
}

/** What is known already; it is not guessed. */
export interface DialectOverrides extends Partial<Omit<Dialect, 'bomBytes'>> {
  /** Those that a file without a byte order mark can have: no other is guessed. @default all */
  readonly encodings?: readonly Encoding[]
}

const sampleRecords = 200

/** Guesses a file's dialect from its first and last 64 KiB; of compressed content, from the first. */
export async function detect(
  source: ByteSource,
  overrides: DialectOverrides = {},
  signal?: AbortSignal,
): Promise<Detection> {
  assertCsvOptions('detect', overrides)
  const { size, etag } = await source.facts(signal)
  const { reader, compression } = await openContent(source, defaultLimits, { etag, signal })
  const head = await readPart(reader, sampleBytes)
  const offset = (compression ? 0 : (size ?? 0)) - sampleBytes
  const tail =
    offset > 0 ? await readPart(await source.open({ offset, etag, signal }), sampleBytes) : undefined
  return detectSample(head, overrides, tail)
}

/** Guesses from bytes at hand: the start of a file and, if it is longer, its end. */
export function detectSample(head: Buffer, overrides: DialectOverrides = {}, tail?: Buffer): Detection {
  return guess(head, overrides, tail).detection
}

/** As `detectSample`; also whether the line end was seen, or lies behind the sample. */
export function guess(
  head: Buffer,
  overrides: DialectOverrides,
  tail: Buffer | undefined,
): { readonly detection: Detection; readonly lineEndSeen: boolean } {
  const guessed = detectEncoding(head, tail, overrides.encodings)
  const encoding = overrides.encoding ?? guessed.encoding
  const bomBytes = bomOf(head, encoding)
  const quote = overrides.quote ?? '"'
  const whole = head.subarray(bomBytes, head.length - (head.length % unitBytes(encoding)))
  const given = decodeLoosely(encoding === 'ISO-2022-JP' ? fromJis(whole) : whole, encoding)
  const encodingConfidence = overrides.encoding ? 1 : guessed.confidence
  const { newline, lineEndSeen } = overrides.newline
    ? { newline: overrides.newline, lineEndSeen: true }
    : detectNewline(given, quote)
  const text = newline === 'CRCRLF' ? given.replaceAll('\r\r\n', '\r\n') : given
  const base: Dialect = { encoding, bomBytes, delimiter: ',', quote, newline, header: true }
  const { delimiter, certainty } = overrides.delimiter
    ? { delimiter: overrides.delimiter, certainty: 1 }
    : detectDelimiter(text, base)
  const dialect = { ...base, delimiter }
  const records = sampleOf(text, dialect)
  const detection = {
    ...dialect,
    header: overrides.header ?? looksLikeHeader(records),
    confidence: Math.min(encodingConfidence, certainty),
    encodingConfidence,
    quoted: quote !== '' && text.includes(quote),
    firstRecord: (records[0] ?? []).map(encoding === 'ISO-2022-JP' ? withoutEscapes : String),
  }
  return { detection, lineEndSeen }
}

function fromJis(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  createTransform({ encoding: 'ISO-2022-JP', newline: 'LF', quote: '' })?.(copy)
  return copy
}

const boms: Partial<Record<Encoding, Buffer>> = {
  'UTF-8': Buffer.from([0xef, 0xbb, 0xbf]),
  'UTF-16LE': Buffer.from([0xff, 0xfe]),
  'UTF-16BE': Buffer.from([0xfe, 0xff]),
}

function bomOf(head: Buffer, encoding: Encoding): number {
  const bom = boms[encoding]
  return bom && head.subarray(0, bom.length).equals(bom) ? bom.length : 0
}

/** The first line end outside quotes decides. */
function detectNewline(text: string, quote: string): { newline: Newline; lineEndSeen: boolean } {
  let inside = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (quote !== '' && code === quote.charCodeAt(0)) inside = !inside
    else if (!inside && code === lf) return { newline: 'LF', lineEndSeen: true }
    else if (!inside && code === cr) {
      if (text.charCodeAt(at + 1) === lf) return { newline: 'CRLF', lineEndSeen: true }
      if (text.startsWith('\r\r\n', at)) return { newline: 'CRCRLF', lineEndSeen: true }
      const isCr = at + 1 < text.length || !text.includes('\n')
      return { newline: isCr ? 'CR' : 'CRLF', lineEndSeen: at + 2 < text.length }
    }
  }
  return { newline: 'LF', lineEndSeen: false }
}

/** The delimiter that gives the most columns in the most even way. */
function detectDelimiter(text: string, base: Dialect): { delimiter: Delimiter; certainty: number } {
  let best: { delimiter: Delimiter; certainty: number; score: number } = {
    delimiter: ',',
    certainty: 0.5,
    score: 0,
  }
  for (const delimiter of [',', '\t', ';', '|'] as const) {
    if (!text.includes(delimiter)) continue
    const records = sampleOf(text, { ...base, delimiter })
    const columns = records[0]?.length ?? 1
    if (columns < 2) continue
    const even = records.filter(record => record.length === columns).length / records.length
    const score = even * even * (1 + Math.log2(columns) / 10)
    if (score > best.score) best = { delimiter, certainty: even, score }
  }
  return best
}

/** The whole records of the sample; the last may be cut and is left out if there are others. */
function sampleOf(text: string, dialect: Dialect): (readonly string[])[] {
  const marks = marksOf(dialect)
  const records: (readonly string[])[] = []
  for (let at = 0; at < text.length && records.length < sampleRecords; ) {
    const record = parseRecord(text, at, marks)
    if (!record.complete && records.length > 0) break
    if (!isEmptyLine(record, text, marks)) records.push(record.fields)
    at = record.end
  }
  return records
}

const numeric = /^[+-]?[\d.,]+%?$/

/** Names are distinct, not empty and not numbers; and where all of a column is numeric, its name is not. */
function looksLikeHeader([first, ...others]: readonly (readonly string[])[]): boolean {
  if (first === undefined) return false
  const names = new Set(first.map(name => name.trim()))
  if (names.size < first.length || names.has('')) return false
  const line = String(first)
  return !first.some(name => numeric.test(name.trim())) && !others.some(other => String(other) === line)
}
