import type { ReaderConfig } from '@stepwright/asl'
import type { Json } from '../../json.ts'
import { assertLineLength } from './decompress.ts'
import { itemReaderFailure } from './item-reader-failure.ts'

const delimiters = { COMMA: ',', PIPE: '|', SEMICOLON: ';', SPACE: ' ', TAB: '\t' } as const

/**
 * Rows in the dialect of Step Functions' CSV reader, which is not RFC 4180: a backslash escapes, short rows are
 * padded with empty fields, extra fields are dropped. They come in short lists: long ones would outlive the young
 * generation of the heap, and each of a million rows would cost twice.
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  config: ReaderConfig,
): AsyncGenerator<readonly Json[]> {
  const parser = createRowParser(delimiters[config.CSVDelimiter ?? 'COMMA'])
  let headers = config.CSVHeaderLocation === 'GIVEN' ? checkHeaders(config.CSVHeaders ?? []) : undefined
  const toItems = (rows: readonly string[][]): readonly Json[] => {
    const items: Json[] = []
    for (const fields of rows) {
      if (headers === undefined) headers = checkHeaders(fields)
      else items.push(toItem(headers, fields))
    }
    return items
  }
  for await (const chunk of text) {
    for (const rows of parser.push(chunk)) yield toItems(rows)
  }
  yield toItems(parser.end())
}

function checkHeaders(headers: readonly string[]): readonly string[] {
  if (new Set(headers).size !== headers.length)
    throw itemReaderFailure('CSV headers cannot contain duplicates.')
  return headers
}

function toItem(headers: readonly string[], fields: readonly string[]): Json {
  const item: Record<string, Json> = {}
  for (let index = 0; index < headers.length; index += 1) item[headers[index] as string] = fields[index] ?? ''
  return item
}

const rowsAtOnce = 25

interface RowParser {
  readonly push: (chunk: string) => Iterable<readonly string[][]>
  readonly end: () => string[][]
}

const quote = 0x22
const backslash = 0x5c
const lineFeed = 0x0a
const carriageReturn = 0x0d

function createRowParser(delimiter: string): RowParser {
  const separator = delimiter.charCodeAt(0)
  let fields: string[] = []
  let field = ''
  let quoted = false
  let escaped = false
  let closedQuote = false
  let sawCarriageReturn = false
  /** Of the row that has not ended, to within a piece of text. */
  let rowLength = 0

  const endField = (): void => {
    fields.push(field)
    field = ''
    closedQuote = false
  }
  const endRow = (rows: string[][]): void => {
    rowLength = 0
    if (fields.length === 0 && field === '' && !closedQuote) return
    endField()
    rows.push(fields)
    fields = []
  }
  /** Takes the run of characters from `start` that mean nothing but themselves; where it ends. */
  const takePlain = (chunk: string, start: number): number => {
    const end = quoted ? quotedEnd(chunk, start) : plainEnd(chunk, start, separator)
    field = field === '' ? chunk.slice(start, end) : field + chunk.slice(start, end)
    return end
  }
  function* push(chunk: string): Generator<readonly string[][]> {
    let rows: string[][] = []
    for (let at = 0; at < chunk.length; ) {
      if (rows.length >= rowsAtOnce) {
        yield rows
        rows = []
      }
      const code = chunk.charCodeAt(at)
      const followsReturn = sawCarriageReturn
      sawCarriageReturn = false
      if (escaped) {
        field += chunk.charAt(at)
        escaped = false
      } else if (code === backslash) {
        escaped = true
      } else if (code === quote) {
        // A quote straight after a closing one is a doubled quote.
        if (!quoted && closedQuote) field += '"'
        if (quoted) closedQuote = true
        quoted = !quoted
      } else if (!quoted && code === separator) {
        endField()
      } else if (!quoted && code === lineFeed) {
        if (!followsReturn) endRow(rows)
      } else if (!quoted && code === carriageReturn) {
        endRow(rows)
        sawCarriageReturn = true
      } else {
        at = takePlain(chunk, at)
        continue
      }
      at += 1
    }
    rowLength += chunk.length
    assertLineLength(rowLength)
    yield rows
  }
  return {
    push,
    end: () => {
      const rows: string[][] = []
      endRow(rows)
      return rows
    },
  }
}

function plainEnd(chunk: string, start: number, separator: number): number {
  for (let end = start + 1; end < chunk.length; end += 1) {
    const code = chunk.charCodeAt(end)
    if (
      code === separator ||
      code === lineFeed ||
      code === carriageReturn ||
      code === quote ||
      code === backslash
    )
      return end
  }
  return chunk.length
}

function quotedEnd(chunk: string, start: number): number {
  for (let end = start + 1; end < chunk.length; end += 1) {
    const code = chunk.charCodeAt(end)
    if (code === quote || code === backslash) return end
  }
  return chunk.length
}
