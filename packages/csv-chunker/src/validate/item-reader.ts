import { type CsvProblem, cut, redact } from '../csv-problem.ts'
import { defaultLimits } from '../limits.ts'
import { type OpenCsvOptions, openCsv } from '../open/open-csv.ts'
import { assertCsvOptions } from '../options.ts'
import { readRowWindows } from '../read/row-windows.ts'
import { offset } from '../scan/scanned-fields.ts'
import type { ByteSource } from '../source/byte-source.ts'
import { placeOf, textBetween } from './field-checks.ts'

/** Something that the CSV reader of Step Functions' distributed Map would silently change. */
export interface ItemReaderFinding {
  readonly code:
    | 'BACKSLASH'
    | 'SHORT_ROW'
    | 'LONG_ROW'
    | 'MALFORMED_ROW'
    | 'ENCODING'
    | 'LINE_END'
    | 'HEADER_SIZE'
  readonly message: string
  readonly rowNumber?: number | undefined
  readonly column?: string | undefined
  readonly byteOffset?: number | undefined
  readonly text?: string | undefined
}

export interface LintOptions extends OpenCsvOptions {
  /** @default 100 */
  readonly maxFindings?: number
}

const maxHeaderBytes = 10 * 1024

class Enough extends Error {}

/**
 * Finds what an `ItemReader` with `InputType: CSV` would not hand over as it is: it takes a backslash for an
 * escape, pads short rows, drops what long rows have too much, and knows only UTF-8.
 */
export async function lintForItemReader(
  source: ByteSource,
  options: LintOptions = {},
): Promise<readonly ItemReaderFinding[]> {
  assertCsvOptions('lintForItemReader', options)
  const { maxFindings = 100, limits = {}, simd = true, showText = false, signal } = options
  const { dialect, columns, headerBytes, reader } = await openCsv(source, options)
  const findings: ItemReaderFinding[] = []
  const add = (finding: ItemReaderFinding): void => {
    findings.push(finding)
    if (findings.length >= maxFindings) throw new Enough()
  }
  try {
    if (dialect.encoding !== 'UTF-8') {
      add({ code: 'ENCODING', message: `the file is ${dialect.encoding}; only UTF-8 is read` })
    }
    if (dialect.newline === 'CR') add({ code: 'LINE_END', message: 'a lone CR ends no record' })
    if (headerBytes > maxHeaderBytes) {
      add({
        code: 'HEADER_SIZE',
        message: `the header has ${headerBytes} bytes, more than ${maxHeaderBytes}`,
        rowNumber: 0,
      })
    }
    const windows = readRowWindows(reader, {
      dialect,
      columns,
      firstRow: 1,
      byteOffset: headerBytes,
      maxRowBytes: limits.maxRowBytes ?? defaultLimits.maxRowBytes,
      simd,
      showText,
      signal,
      onProblem: problem => add(toFinding(problem, columns.length)),
    })
    const stride = columns.length + 1
    for await (const window of windows) {
      signal?.throwIfAborted()
      const { text, offsets, firstRow } = window
      let row = 0
      let column = 0
      for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 1)) {
        while (((offsets[row * stride + column + 1] as number) & offset) < at) {
          column += 1
          if (column === columns.length) [row, column] = [row + 1, 0]
        }
        const rowEnd = offsets[(row + 1) * stride] as number
        const found = textBetween(window, { dialect }, at, Math.min(rowEnd, at + 80)).slice(0, 20)
        const message = `the backslash before ${JSON.stringify(shown(found[1] ?? '', showText))} would be dropped`
        const place = placeOf(window, { columns, showText }, firstRow + row, column, at, found)
        add({ code: 'BACKSLASH', message, ...place })
      }
    }
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  } finally {
    await reader.close()
  }
  return findings
}

function shown(text: string, showText: boolean): string {
  return showText ? cut(text) : redact(text)
}

function toFinding(problem: CsvProblem, columns: number): ItemReaderFinding {
  const { rowNumber, column, byteOffset, text } = problem
  const place = { rowNumber, column, byteOffset, text }
  if (problem.code !== 'COLUMN_COUNT') return { code: 'MALFORMED_ROW', message: problem.message, ...place }
  const fields = Number(/has (\d+)/.exec(problem.message)?.[1])
  return fields < columns
    ? {
        code: 'SHORT_ROW',
        message: `${columns - fields} missing fields would become empty strings`,
        ...place,
      }
    : { code: 'LONG_ROW', message: `${fields - columns} extra fields would be dropped`, ...place }
}
