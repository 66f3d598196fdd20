import type { StandardSchemaV1 } from '@standard-schema/spec'
import { CSVValidationError, describeIssues, isTaskError, toIssues } from '@stepwright/errors'
import {
  type CsvProblem,
  type ProblemCode,
  type ProblemPlace,
  shortName,
  toCsvError,
} from '../csv-problem.ts'
import { defaultLimits } from '../limits.ts'
import { type ColumnMapping, type ColumnOptions, mapColumns } from '../open/map-columns.ts'
import { type OpenCsvOptions, type OpenedCsv, openCsv } from '../open/open-csv.ts'
import { assertCsvOptions } from '../options.ts'
import type { Row } from '../read/read-rows.ts'
import { createRowBuilder } from '../read/row-builder.ts'
import { type RowWindow, readRowWindows } from '../read/row-windows.ts'
import { createBreather } from '../source/breather.ts'
import { type ByteSource, createCountingReader } from '../source/byte-source.ts'
import { type ChunkOptions, toChunkOptions } from '../split/chunk-options.ts'
import type { CsvFile } from '../split/csv-file.ts'
import type { CsvChunk, Manifest } from '../split/manifest.ts'
import { noRanges, toManifest } from '../split/split.ts'
import { tooManyRows } from '../split/too-many-rows.ts'
import { createFieldCheck, type FieldChecks, fieldStart, placeOf } from './field-checks.ts'
import { createRowCutter } from './row-cutter.ts'

export interface ValidateOptions extends OpenCsvOptions, ColumnOptions {
  /** The header that is expected, in this order. */
  readonly expectedColumns?: readonly string[]
  /** What every row must fit. */
  readonly schema?: StandardSchemaV1
  /** Fields that a spreadsheet would run: `=`, `+`, `-` or `@` first, and no number. @default 'warn' */
  readonly formulas?: 'ignore' | 'warn' | 'error'
  /** @default no limit */
  readonly maxRows?: number
  /** Whether a file without a data row is invalid. @default false */
  readonly requireRows?: boolean
  /** Checking stops after so many errors; so many warnings are kept. @default 100 */
  readonly maxProblems?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** The answer of `ValidateCSVFile`. */
export interface CsvValidation {
  readonly isValid: boolean
  /** Data rows, without the header; up to the last that was checked. */
  readonly rowCount: number
  readonly columnCount: number
  readonly headerValid: boolean
  /** `unknown` if the file could not be opened as a CSV. */
  readonly encoding: string
  readonly delimiter: string
  readonly statistics: {
    readonly fileSizeBytes: number
    readonly processingTimeSeconds: number
    /** Warnings as well: only errors make a file invalid. */
    readonly validationErrors: readonly CsvProblem[]
  }
}

/** Ends the checking: enough was found. */
class Enough extends Error {}

/** Checks a whole file, reading it once. What is wrong is in the answer; only trouble in reading throws. */
export async function validate(source: ByteSource, options: ValidateOptions = {}): Promise<CsvValidation> {
  assertCsvOptions('validate', options)
  const { validation } = await check(source, options)
  return validation
}

/** A file that was checked and, if it is valid and that was asked for, cut on the way. */
export interface CheckedCsv {
  readonly validation: CsvValidation
  /** Of a valid file: what its reader must know. */
  readonly form: CsvForm | undefined
  /** Of a valid file that was to be split. */
  readonly manifest: Manifest | undefined
}

type CsvForm = Pick<CsvFile, 'source' | 'dialect' | 'columns' | 'columnOf'>

/** As `validate`, with the manifest that `splitToManifest` gives: from one look at the facts and one scan. */
export async function check(
  source: ByteSource,
  options: ValidateOptions,
  split?: ChunkOptions,
): Promise<CheckedCsv> {
  const { now = Date.now, maxProblems = 100 } = options
  const chunkOptions = split && toChunkOptions(split)
  const started = now()
  const problems: CsvProblem[] = []
  const counted = { rows: 0, error: 0, warning: 0 }
  const onProblem = (problem: CsvProblem): void => {
    const { severity, rowNumber = 0 } = problem
    counted.rows = Math.max(counted.rows, rowNumber)
    // Warnings beyond the limit are left out; they must not hide the errors behind them.
    if (++counted[severity] <= maxProblems) problems.push(problem)
    if (counted.error >= maxProblems) throw new Enough()
  }
  const facts = await source.facts(options.signal)
  let opened: OpenedCsv | undefined
  let columnOf: ColumnMapping | undefined
  let manifest: Manifest | undefined
  try {
    opened = await openCsv(source, options, facts)
    if (chunkOptions && opened.compression) throw noRanges()
    columnOf = checkHeader(opened, options, onProblem)
    const keepsWarnings = (): boolean => counted.warning < maxProblems
    const cut = await checkRows(opened, options, chunkOptions, counted, { keepsWarnings, onProblem })
    if (cut) manifest = toManifest(opened, cut.chunks, cut, columnOf)
    if (options.requireRows && counted.rows === 0) throw toCsvError('EMPTY_FILE', 'the file has no rows')
  } catch (error) {
    if (isTaskError(error, CSVValidationError)) problems.push(toProblem(error))
    else if (!(error instanceof Enough)) throw error
  } finally {
    await opened?.reader.close()
  }
  const isValid = !problems.some(({ severity }) => severity === 'error')
  const validation: CsvValidation = {
    isValid,
    rowCount: counted.rows,
    columnCount: opened?.columns.length ?? 0,
    headerValid:
      opened !== undefined &&
      !problems.some(({ code }) => code === 'HEADER_MISMATCH' || code === 'DUPLICATE_COLUMN'),
    encoding: opened?.dialect.encoding ?? 'unknown',
    delimiter: opened?.dialect.delimiter ?? 'unknown',
    statistics: {
      fileSizeBytes: facts.size ?? 0,
      processingTimeSeconds: (now() - started) / 1000,
      validationErrors: problems,
    },
  }
  if (!isValid || !opened) return { validation, form: undefined, manifest: undefined }
  return { validation, form: toForm(opened, facts.size ?? 0, columnOf), manifest }
}

function toForm(
  { etag, versionId, dialect, columns }: Pick<OpenedCsv, 'etag' | 'versionId' | 'dialect' | 'columns'>,
  size: number,
  columnOf: ColumnMapping | undefined,
): CsvForm {
  const source = { size, etag, ...(versionId !== undefined && { versionId }) }
  return { source, dialect, columns, ...(columnOf && { columnOf }) }
}

function toProblem({ code, message, details = {} }: CSVValidationError): CsvProblem {
  return { code: code as ProblemCode, severity: 'error', message, ...(details as ProblemPlace) }
}

function checkHeader(
  { columns, firstRecord, dialect: { header } }: OpenedCsv,
  { expectedColumns, ...options }: ValidateOptions,
  onProblem: (problem: CsvProblem) => void,
): ColumnMapping | undefined {
  const withNul = columns.find(column => column.includes('\0'))
  if (withNul !== undefined) {
    const column = String(columns.indexOf(withNul) + 1)
    onProblem({
      code: 'NUL_BYTE',
      severity: 'error',
      message: 'the name of a column holds a NUL',
      rowNumber: 0,
      column,
    })
  }
  const mapped = mapColumns({ columns, firstRecord, header }, options)
  if (expectedColumns) checkOrder(columns, expectedColumns, onProblem)
  if (!('problem' in mapped)) return options.columns && mapped.columnOf
  onProblem(mapped.problem)
  return undefined
}

function checkOrder(
  columns: readonly string[],
  expectedColumns: readonly string[],
  onProblem: (problem: CsvProblem) => void,
): void {
  const longest = Math.max(columns.length, expectedColumns.length)
  for (let index = 0; index < longest; index += 1) {
    const [found, expected] = [columns[index], expectedColumns[index]]
    if (found === expected) continue
    const message =
      found === undefined
        ? `the column ${expected} is missing`
        : `column ${index + 1} is ${JSON.stringify(shortName(found))} instead of ${expected === undefined ? 'none' : JSON.stringify(expected)}`
    onProblem({
      code: 'HEADER_MISMATCH',
      severity: 'error',
      message,
      rowNumber: 0,
      column: shortName(found ?? (expected as string)),
    })
    return
  }
}

async function checkRows(
  opened: OpenedCsv,
  options: ValidateOptions,
  chunkOptions: Required<ChunkOptions> | undefined,
  counted: { rows: number },
  { keepsWarnings, onProblem }: Pick<FieldChecks, 'keepsWarnings' | 'onProblem'>,
): Promise<{ chunks: readonly CsvChunk[]; rowCount: number; size: number } | undefined> {
  const { reader, dialect, columns, headerBytes } = opened
  const { limits = {}, simd = true, showText = false, schema, signal } = options
  const { maxRowBytes } = { ...defaultLimits, ...limits }
  const { maxRows = Number.POSITIVE_INFINITY, formulas = 'warn' } = options
  const found = { showText, keepsWarnings, onProblem }
  const checks: FieldChecks = { dialect, columns, formulas, ...found }
  const build = createRowBuilder(columns, dialect)
  const cutter =
    chunkOptions && createRowCutter({ ...chunkOptions, dialect, columns, byteOffset: headerBytes })
  const breathe = createBreather(signal)
  const counting = createCountingReader(reader, headerBytes)
  const windows = readRowWindows(counting, {
    dialect,
    columns,
    firstRow: 1,
    byteOffset: headerBytes,
    maxRowBytes,
    simd,
    showText,
    signal,
    onProblem,
  })
  for await (const window of windows) {
    signal?.throwIfAborted()
    cutter?.take(window, counting.position())
    if (window.rows === 0) continue
    const checkFields = createFieldCheck(window, checks)
    if (!schema) {
      checkFields(0, window.rows)
    } else {
      for (const [index, row] of build(window).entries()) {
        checkFields(index, index + 1)
        const pause = index % rowsBetweenBreaths === 0 ? breathe(0) : undefined
        if (pause) await pause
        let result = schema['~standard'].validate(row)
        if (result instanceof Promise) result = await result
        if (result.issues) reportIssues(window, index, row, result.issues, checks)
      }
    }
    counted.rows = window.firstRow + window.rows - 1
    if (counted.rows > maxRows) {
      throw tooManyRows(maxRows)
    }
  }
  const size = counting.position()
  return cutter && { ...cutter.end(size), size }
}

/** A schema may take long for each of the thousands of short rows that a window has. */
const rowsBetweenBreaths = 100

function reportIssues(
  window: RowWindow,
  index: number,
  row: Row,
  found: readonly StandardSchemaV1.Issue[],
  checks: FieldChecks,
): void {
  const [segment] = found[0]?.path ?? []
  const name = String(typeof segment === 'object' ? segment.key : segment)
  const column = checks.columns.indexOf(name)
  const unit = fieldStart(window, checks.columns.length, index, Math.max(0, column))
  const place = placeOf(window, checks, window.firstRow + index, Math.max(0, column), unit, row[name] ?? '')
  const { rowNumber, byteOffset } = place
  checks.onProblem({
    code: 'ROW_SCHEMA',
    severity: 'error',
    message: describeIssues(toIssues(found) ?? []),
    // What is wrong with the row as a whole has no column.
    ...(column < 0 ? { rowNumber, byteOffset } : place),
  })
}
