/** The encodings that are detected and read; the names are IANA's. Shift_JIS includes CP932's additions. */
export type Encoding = (typeof encodings)[number]

export const encodings = [
  'UTF-8',
  'UTF-16LE',
  'UTF-16BE',
  'Shift_JIS',
  'EUC-JP',
  'ISO-2022-JP',
  'ISO-8859-1',
  'Windows-1252',
] as const

/** Whether every byte is one character. */
export function isLatin(encoding: Encoding): boolean {
  return encoding === 'ISO-8859-1' || encoding === 'Windows-1252'
}

export type Delimiter = ',' | ';' | '\t' | '|'

/** CRLF and LF both end a record in files of either, and in files that were converted twice; in a CR file only CR does. */
export type Newline = (typeof newlines)[number]

export const newlines = ['LF', 'CRLF', 'CRCRLF', 'CR'] as const

/** How a file's bytes become rows. */
export interface Dialect {
  readonly encoding: Encoding
  /** Bytes of the byte order mark at the start of the file. */
  readonly bomBytes: number
  readonly delimiter: Delimiter
  /** An empty string reads quotes as ordinary text. */
  readonly quote: '"' | "'" | ''
  readonly newline: Newline
  /** Whether the first record names the columns. */
  readonly header: boolean
}

export const defaultDialect: Dialect = {
  encoding: 'UTF-8',
  bomBytes: 0,
  delimiter: ',',
  quote: '"',
  newline: 'LF',
  header: true,
}

/** The code units that structure a file. A quote of -1 never occurs. */
export interface Marks {
  readonly delimiter: number
  readonly quote: number
  readonly newline: number
}

export const cr = 13
export const lf = 10

export function marksOf({ delimiter, quote, newline }: Dialect): Marks {
  return {
    delimiter: delimiter.charCodeAt(0),
    quote: quote === '' ? -1 : quote.charCodeAt(0),
    newline: newline === 'CR' ? cr : lf,
  }
}

/** Bytes of one code unit. */
export function unitBytes(encoding: Encoding): 1 | 2 {
  return encoding === 'UTF-16LE' || encoding === 'UTF-16BE' ? 2 : 1
}

/** The bytes of an ASCII code unit. */
export function toUnit(code: number, encoding: Encoding): Buffer {
  if (encoding === 'UTF-16LE') return Buffer.from([code, 0])
  return encoding === 'UTF-16BE' ? Buffer.from([0, code]) : Buffer.from([code])
}
