import { toCsvError } from '../csv-problem.ts'
import { type Dialect, unitBytes } from '../dialect/dialect.ts'
import { decodeLoosely } from '../dialect/text-encoding.ts'

/** What people upload in place of a CSV, by its first bytes. */
const binaryFiles = [
  { start: 'PK\x03\x04', what: 'an Excel workbook (.xlsx) or another zip archive' },
  { start: '\xd0\xcf\x11\xe0', what: 'an old Excel workbook (.xls)' },
  { start: '%PDF-', what: 'a PDF' },
]

/** ISO-2022-JP switches to Japanese by these; its bytes are all ASCII, marks among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences are what is looked for
const iso2022Jp = /\x1b(?:\$[@B]|\([IJ])/

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controls = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/g

/** Of all characters of the first bytes; a stray one in a field is the row's problem, not the file's. */
const maxControlShare = 0.01
const lookedAtBytes = 4096

/** Refuses what is not text, or is text that cannot be read in parts. */
export function refuseUnreadable(
  head: Buffer,
  tail: Buffer | undefined,
  { encoding }: Dialect,
  byteOffset: number,
): void {
  const start = head.toString('latin1', 0, lookedAtBytes)
  const binary = binaryFiles.find(file => start.startsWith(file.start))
  if (binary) {
    throw toCsvError('BINARY_FILE', `the file is ${binary.what}, not a CSV: save it as CSV UTF-8`)
  }
  if (unitBytes(encoding) === 2) return
  const found = start.match(controls)?.length ?? 0
  if (found > Math.max(1, start.length * maxControlShare)) {
    const place = { byteOffset: byteOffset + start.search(controls) }
    throw toCsvError('BINARY_FILE', 'the file is not text: it holds control characters', place)
  }
  for (const part of [head, tail]) {
    if (part?.includes(0x1b) && iso2022Jp.test(part.toString('latin1'))) {
      throw toCsvError('UNSUPPORTED_ENCODING', 'the file is in ISO-2022-JP (JIS): save it as CSV UTF-8')
    }
  }
}

/** A file of lines that end with CR CR LF was converted twice; where its fields end is a matter of taste. */
export function refuseDoubledLineEnds(head: Buffer, { encoding, quote }: Dialect): void {
  const lines = decodeLoosely(head.subarray(0, lookedAtBytes), encoding)
  const outside = quote === '' ? lines : lines.split(quote).filter((_, index) => index % 2 === 0)
  if (!String(outside).includes('\r\r\n')) return
  throw toCsvError(
    'LINE_ENDS',
    'lines end with CR CR LF: the file was converted twice; write it with CR LF, in Python with newline=""',
  )
}
