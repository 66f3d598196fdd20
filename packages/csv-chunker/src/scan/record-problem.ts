import { type CsvProblem, cut, type ProblemCode, redact, shortName } from '../csv-problem.ts'
import { type Dialect, marksOf } from '../dialect/dialect.ts'
import { bytesOfUnits, decode, decodeLoosely, firstInvalidByte } from '../dialect/text-encoding.ts'
import { isEmptyLine, parseRecord } from './parse-record.ts'

export interface RecordPlace {
  readonly rowNumber: number
  readonly byteOffset: number
}

/** Says what is wrong with a record's bytes; undefined if nothing is, or if it is an empty line. */
export function explainRecord(
  bytes: Buffer,
  dialect: Dialect,
  columns: readonly string[],
  { rowNumber, byteOffset }: RecordPlace,
  showText: boolean,
): CsvProblem | undefined {
  const marks = marksOf(dialect)
  const nameOf = (column: number): string => shortName(columns[column] ?? String(column + 1))
  const text = decode(bytes, dialect.encoding)
  if (text === undefined) {
    const at = Math.max(0, firstInvalidByte(bytes, dialect.encoding))
    const { fields } = parseRecord(decodeLoosely(bytes.subarray(0, at), dialect.encoding), 0, marks)
    return {
      code: 'INVALID_BYTES',
      severity: 'error',
      message: `the bytes are not ${dialect.encoding} text`,
      rowNumber,
      column: nameOf(fields.length - 1),
      byteOffset: byteOffset + at,
    }
  }
  const record = parseRecord(text, 0, marks)
  if (isEmptyLine(record, text, marks)) return undefined
  const problem = (code: ProblemCode, message: string, column: number, unit: number): CsvProblem => ({
    code,
    severity: 'error',
    message,
    rowNumber,
    column: nameOf(column),
    byteOffset: byteOffset + bytesOfUnits(bytes, unit, dialect.encoding),
    text: showText ? cut(text.slice(unit)) : redact(text.slice(unit)),
  })
  const { fields, starts, fault, unclosed } = record
  if (fault?.kind === 'STRAY_QUOTE') {
    return problem('STRAY_QUOTE', 'a quote stands inside a field that is not quoted', fault.column, fault.at)
  }
  if (fault) return problem('TEXT_AFTER_QUOTE', 'text follows a closing quote', fault.column, fault.at)
  if (unclosed) {
    const last = fields.length - 1
    return problem('UNCLOSED_QUOTE', 'a quote is opened and never closed', last, starts[last] as number)
  }
  if (fields.length === columns.length) return undefined
  const message = `the row has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'} instead of ${columns.length}`
  const extra = Math.min(fields.length, columns.length)
  return problem('COLUMN_COUNT', message, extra, starts[extra] ?? text.length)
}
