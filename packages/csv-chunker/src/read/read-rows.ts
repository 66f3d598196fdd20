import type { StandardSchemaV1 } from '@standard-schema/spec'
import { DataValidationError, describeIssues, toIssues } from '@stepwright/errors'
import { toProblemError } from '../csv-problem.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { defaultLimits } from '../limits.ts'
import { type OpenCsvOptions, openCsv } from '../open/open-csv.ts'
import { assertCsvOptions } from '../options.ts'
import type { ByteReader, ByteSource } from '../source/byte-source.ts'
import { createTransformedReader } from '../source/transformed-reader.ts'
import type { CsvChunk, Manifest } from '../split/manifest.ts'
import { rearmFormula } from '../write/formula.ts'
import { createCheckedReader, refuseOtherRowCount } from './checked-reader.ts'
import { createFieldsBuilder, createRowBuilder } from './row-builder.ts'
import { readRowWindows } from './row-windows.ts'

export type Row = Readonly<Record<string, string>>

/** The fields of a row in the order of the file's columns, also of columns that are called `2` and `10`. */
export type RowFields = readonly string[]

/** Rows that follow one another in the file. */
export interface RowBatch<T = Row> {
  /** The number of the first of them in the original file; data rows count from 1. */
  readonly firstRow: number
  readonly rows: readonly T[]
}

export interface ReadRowsOptions extends OpenCsvOptions, Pick<ReadChunkOptions, 'reasonColumn' | 'rowsAs'> {
  /** The number of the first row, where the source is one chunk of a larger file. @default 1 */
  readonly firstRow?: number
}

export interface ReadChunkOptions extends Pick<OpenCsvOptions, 'limits' | 'signal' | 'simd' | 'showText'> {
  /** JavaScript puts keys that are numbers first: as arrays, fields keep the order of the columns. @default 'objects' */
  readonly rowsAs?: 'objects' | 'arrays'
  /** A column that only files written by `formatCsv` have: their fields are read as they were before. */
  readonly reasonColumn?: string
}

interface AsArrays {
  readonly rowsAs: 'arrays'
}

type SplitFile = Pick<Manifest, 'dialect' | 'columns' | 'source'>

/** Reads a whole CSV, or a chunk object, which is one too. */
export function readRows(
  source: ByteSource,
  options: ReadRowsOptions & AsArrays,
): AsyncGenerator<RowBatch<RowFields>>
export function readRows(source: ByteSource, options?: ReadRowsOptions): AsyncGenerator<RowBatch>
export async function* readRows(
  source: ByteSource,
  options: ReadRowsOptions = {},
): AsyncGenerator<RowBatch<Row | RowFields>> {
  assertCsvOptions('readRows', options)
  const { dialect, columns, headerBytes, reader, size, compression } = await openCsv(source, options)
  const { firstRow = 1 } = options
  yield* toBatches(
    reader,
    {
      dialect,
      columns,
      firstRow,
      byteOffset: headerBytes,
      size: compression ? undefined : size,
    },
    options,
  )
}

/**
 * Reads one chunk of a manifest by its byte range, out of the very file that was split. Its bytes and the number
 * of its rows are compared with the manifest's; a difference is an error behind the last batch.
 */
export function readChunk(
  source: ByteSource,
  file: SplitFile,
  chunk: CsvChunk,
  options: ReadChunkOptions & AsArrays,
): AsyncGenerator<RowBatch<RowFields>>
export function readChunk(
  source: ByteSource,
  file: SplitFile,
  chunk: CsvChunk,
  options?: ReadChunkOptions,
): AsyncGenerator<RowBatch>
export async function* readChunk(
  source: ByteSource,
  { dialect, columns, source: { etag } }: SplitFile,
  chunk: CsvChunk,
  options: ReadChunkOptions = {},
): AsyncGenerator<RowBatch<Row | RowFields>> {
  assertCsvOptions('readChunk', options)
  const { offset, length, firstRow } = chunk
  const opened = await source.open({ offset, length, etag, signal: options.signal })
  const reader = createCheckedReader(createTransformedReader(opened, dialect), chunk, etag !== undefined)
  let rowCount = 0
  const place = { dialect, columns, firstRow, byteOffset: offset, size: length }
  for await (const batch of toBatches(reader, place, options)) {
    rowCount += batch.rows.length
    yield batch
  }
  refuseOtherRowCount(rowCount, chunk)
}

interface BatchPlace {
  readonly dialect: Dialect
  readonly columns: readonly string[]
  readonly firstRow: number
  readonly byteOffset: number
  readonly size?: number | undefined
}

async function* toBatches(
  reader: ByteReader,
  place: BatchPlace,
  { limits = {}, signal, simd = true, showText = false, reasonColumn, rowsAs = 'objects' }: ReadChunkOptions,
): AsyncGenerator<RowBatch<Row | RowFields>> {
  const { maxRowBytes } = { ...defaultLimits, ...limits }
  const disarmed = reasonColumn !== undefined && place.columns.includes(reasonColumn)
  const isArrays = rowsAs === 'arrays'
  const build = (isArrays ? createFieldsBuilder : createRowBuilder)(place.columns, place.dialect)
  try {
    const windows = readRowWindows(reader, {
      ...place,
      maxRowBytes,
      simd,
      showText,
      signal,
      onProblem(problem) {
        throw toProblemError(problem)
      },
    })
    for await (const window of windows) {
      signal?.throwIfAborted()
      if (window.rows === 0) continue
      const rows = build(window)
      yield { firstRow: window.firstRow, rows: disarmed ? rows.map(rearm) : rows }
    }
  } finally {
    await reader.close()
  }
}

function rearm(row: Row | RowFields): Row | RowFields {
  if (isFields(row)) return row.map(rearmFormula)
  return Object.fromEntries(Object.entries(row).map(([column, field]) => [column, rearmFormula(field)]))
}

function isFields(row: Row | RowFields): row is RowFields {
  return Array.isArray(row)
}

/**
 * Turns rows into what a schema makes of them.
 * @throws DataValidationError at the first row that does not fit, with its number and the schema's issues
 */
export async function* parseRows<Schema extends StandardSchemaV1>(
  batches: AsyncIterable<RowBatch>,
  schema: Schema,
): AsyncGenerator<RowBatch<StandardSchemaV1.InferOutput<Schema>>> {
  const { validate } = schema['~standard']
  for await (const { firstRow, rows } of batches) {
    const parsed = new Array<StandardSchemaV1.InferOutput<Schema>>(rows.length)
    for (let index = 0; index < rows.length; index += 1) {
      const open = validateRows(rows, index, validate, parsed)
      if (!open) break
      index = open.index
      const result = await open.result
      if (result.issues) throw doesNotFit(firstRow + index, result.issues)
      parsed[index] = result.value as StandardSchemaV1.InferOutput<Schema>
    }
    yield { firstRow, rows: parsed }
  }
}

/**
 * Validates rows up to one that does not fit, or that the schema has no answer for yet. Nearly all of the time is
 * spent here: V8 makes more of it as a function of its own, without the generator around it.
 */
function validateRows<T>(
  rows: readonly Row[],
  start: number,
  validate: StandardSchemaV1['~standard']['validate'],
  into: T[],
): { index: number; result: ReturnType<typeof validate> } | undefined {
  for (let index = start; index < rows.length; index += 1) {
    const result = validate(rows[index])
    if (!('value' in result) || result.issues) return { index, result }
    into[index] = result.value as T
  }
  return undefined
}

function doesNotFit(rowNumber: number, found: readonly StandardSchemaV1.Issue[]): DataValidationError {
  const issues = toIssues(found) ?? []
  return new DataValidationError(`row ${rowNumber}: ${describeIssues(issues)}`, {
    details: { rowNumber, issues },
  })
}
