import type { ReaderConfig } from '@stepwright/asl'
import type { Json } from '../../json.ts'
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

const rowsAtOnce = 100

interface RowParser {
  readonly push: (chunk: string) => Iterable<readonly string[][]>
  readonly end: () => string[][]
}

function createRowParser(delimiter: string): RowParser {
  let fields: string[] = []
  let field = ''
  let quoted = false
  let escaped = false
  let closedQuote = false
  let sawCarriageReturn = false

  const endField = (): void => {
    fields.push(field)
    field = ''
    closedQuote = false
  }
  const endRow = (rows: string[][]): void => {
    if (fields.length === 0 && field === '' && !closedQuote) return
    endField()
    rows.push(fields)
    fields = []
  }
  function* push(chunk: string): Generator<readonly string[][]> {
    let rows: string[][] = []
    for (let at = 0; at < chunk.length; at += 1) {
      if (rows.length >= rowsAtOnce) {
        yield rows
        rows = []
      }
      const char = chunk[at] as string
      if (escaped) {
        field += char
        escaped = false
      } else if (char === '\\') {
        escaped = true
      } else if (quoted) {
        if (char === '"') {
          quoted = false
          closedQuote = true
        } else field += char
      } else if (char === '"') {
        // A quote straight after a closing one is a doubled quote.
        if (closedQuote) field += '"'
        quoted = true
      } else if (char === delimiter) endField()
      else if (char === '\n') {
        if (sawCarriageReturn) sawCarriageReturn = false
        else endRow(rows)
        continue
      } else if (char === '\r') {
        endRow(rows)
        sawCarriageReturn = true
        continue
      } else {
        const end = plainEnd(chunk, at, delimiter)
        field += chunk.slice(at, end)
        at = end - 1
      }
      sawCarriageReturn = false
    }
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

/** The end of a run of characters that mean nothing but themselves. */
function plainEnd(chunk: string, start: number, delimiter: string): number {
  let end = start + 1
  while (end < chunk.length) {
    const char = chunk[end]
    if (char === delimiter || char === '\n' || char === '\r' || char === '"' || char === '\\') break
    end += 1
  }
  return end
}
