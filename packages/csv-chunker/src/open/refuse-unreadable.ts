import { toCsvError } from '../csv-problem.ts'
import { type Dialect, unitBytes } from '../dialect/dialect.ts'

/** What people upload in place of a CSV, by its first bytes. */
const binaryFiles = [
  { start: 'PK\x03\x04', what: 'an Excel workbook (.xlsx) or another zip archive' },
  { start: '\xd0\xcf\x11\xe0', what: 'an old Excel workbook (.xls)' },
  { start: '%PDF-', what: 'a PDF' },
]

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controls = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/g

/** Of all characters of the first bytes; a stray one in a field is the row's problem, not the file's. */
const maxControlShare = 0.01
const lookedAtBytes = 4096

/** Refuses what is not text. */
export function refuseUnreadable(head: Buffer, { encoding }: Dialect, byteOffset: number): void {
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
}

/** Lines that end with CR CR LF were converted twice; in two bytes a character that is not undone. */
export function refuseDoubledLineEnds({ encoding, newline }: Dialect): void {
  if (newline !== 'CRCRLF' || unitBytes(encoding) === 1) return
  throw toCsvError(
    'LINE_ENDS',
    'lines end with CR CR LF: the file was converted twice; write it with CR LF, in Python with newline=""',
  )
}
