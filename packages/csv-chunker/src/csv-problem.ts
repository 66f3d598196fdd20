import { CSVValidationError } from '@stepwright/errors'

export type ProblemCode =
  | 'EMPTY_FILE'
  | 'BINARY_FILE'
  | 'UNSUPPORTED_ENCODING'
  | 'UNKNOWN_ENCODING'
  | 'LINE_ENDS'
  | 'FILE_TOO_LARGE'
  | 'HEADER_MISMATCH'
  | 'DUPLICATE_COLUMN'
  | 'TOO_MANY_COLUMNS'
  | 'TOO_MANY_ROWS'
  | 'COLUMN_COUNT'
  | 'ROW_TOO_LONG'
  | 'STRAY_QUOTE'
  | 'TEXT_AFTER_QUOTE'
  | 'UNCLOSED_QUOTE'
  | 'NUL_BYTE'
  | 'INVALID_BYTES'
  | 'FORMULA'
  | 'ROW_SCHEMA'
  | 'COMPRESSED_SOURCE'
  | 'COMPRESSED_DATA_BROKEN'
  | 'DECOMPRESSED_TOO_LARGE'

/** One thing that is wrong with a file, and where. */
export interface CsvProblem {
  readonly code: ProblemCode
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** The data row, counted from 1; the header is row 0. */
  readonly rowNumber?: number | undefined
  /** The column's name, or its number from 1 where it has none. */
  readonly column?: string | undefined
  /** Offset in the decompressed file. */
  readonly byteOffset?: number | undefined
  /** Names of the header: the first ten, or the two that mean the same. */
  readonly found?: readonly string[] | undefined
  /** The offending text, cut, with letters as `x` and digits as `9` unless raw text was asked for. */
  readonly text?: string | undefined
}

/** Where a problem lies, without what is wrong. */
export type ProblemPlace = Omit<CsvProblem, 'code' | 'severity' | 'message'>

export function toCsvError(code: ProblemCode, message: string, place: ProblemPlace = {}): CSVValidationError {
  const { column, ...rest } = place
  const shown = column === undefined ? rest : { ...rest, column: shortName(column) }
  const at = describePlace(shown)
  return new CSVValidationError(printable(at === '' ? message : `${message} (${at})`), {
    code,
    details: { ...shown },
  })
}

/** The name of a column as problems give it: a broken file can have any. */
export function shortName(column: string): string {
  return printable(column.length <= maxNameLength ? column : `${column.slice(0, maxNameLength)}…`)
}

const maxNameLength = 100

export function toProblemError({ code, message, severity: _, ...place }: CsvProblem): Error {
  return toCsvError(code, message, place)
}

function describePlace({ rowNumber, column, byteOffset }: ProblemPlace): string {
  const parts: string[] = []
  if (rowNumber !== undefined) parts.push(rowNumber === 0 ? 'header' : `row ${rowNumber}`)
  if (column !== undefined) parts.push(`column ${column}`)
  if (byteOffset !== undefined) parts.push(`byte ${byteOffset}`)
  return parts.join(', ')
}

/** A UTF-16 file of an odd number of bytes. */
export function cutCharacter(encoding: string, fileSize: number): CSVValidationError {
  return toCsvError('INVALID_BYTES', `the file ends inside a character of ${encoding}`, {
    byteOffset: fileSize - 1,
  })
}

const shownCharacters = 40

/** Keeps the shape of a text and none of its content: `tanaka1@example.jp` becomes `xxxxxx9@xxxxxxx.xx`. */
export function redact(text: string): string {
  return cut(text)
    .replace(/\p{L}|\p{M}/gu, 'x')
    .replace(/\p{N}/gu, '9')
}

/** The start of a text, fit for logs and JSON: without control characters, and no character halved. */
export function cut(text: string): string {
  const characters = Array.from(text.slice(0, 2 * shownCharacters))
  const start = characters.slice(0, shownCharacters).join('')
  return printable(start.length < text.length ? `${start}…` : start)
}

/** Control characters and halves of characters become U+FFFD: databases and viewers refuse them. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  return text.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd')
}
