import {
  aBoolean,
  aFunction,
  anything,
  aSignal,
  assertOptions,
  aText,
  membersOf,
  type OptionChecks,
  oneOf,
  recordOf,
  texts,
  wholeFrom,
} from '@stepwright/errors/options'
import { encodings, newlines } from './dialect/dialect.ts'

/** A scanner holds two copies of the longest row, with offsets of 30 bits. */
const maxRowBytes = 2 ** 28

const dialect: OptionChecks = {
  encoding: oneOf(...encodings),
  encodings: texts,
  delimiter: oneOf(',', ';', '\t', '|'),
  quote: oneOf('"', "'", ''),
  newline: oneOf(...newlines),
  header: aBoolean,
  // A dialect that was detected may be given as it is.
  bomBytes: anything,
  confidence: anything,
  encodingConfidence: anything,
  quoted: anything,
  firstRecord: anything,
}

const reading: OptionChecks = {
  limits: membersOf({
    maxRowBytes: wholeFrom(1, maxRowBytes),
    maxColumns: wholeFrom(1),
    maxFileBytes: wholeFrom(1),
    maxDecompressedBytes: wholeFrom(1),
    maxCompressionRatio: wholeFrom(1),
  }),
  signal: aSignal,
  simd: aBoolean,
  showText: aBoolean,
}

const opening: OptionChecks = { ...reading, dialect: membersOf(dialect), header: aFunction }

const rows: OptionChecks = { reasonColumn: aText, rowsAs: oneOf('objects', 'arrays') }

const columns: OptionChecks = {
  columns: recordOf(membersOf({ aliases: texts, optional: aBoolean, looksLike: aFunction })),
  otherColumns: oneOf('ignore', 'refuse'),
}

const chunks: OptionChecks = {
  rowsPerChunk: wholeFrom(1),
  maxChunkBytes: wholeFrom(1),
  maxChunks: wholeFrom(1),
  digest: oneOf('crc-32', 'sha-256', 'none'),
}

const splitting: OptionChecks = {
  ...opening,
  ...chunks,
  ...columns,
  maxRows: wholeFrom(0),
  blockBytes: wholeFrom(1, maxRowBytes),
}

const checking: OptionChecks = {
  ...opening,
  ...columns,
  expectedColumns: texts,
  schema: anything,
  formulas: oneOf('ignore', 'warn', 'error'),
  maxRows: wholeFrom(0),
  requireRows: aBoolean,
  maxProblems: wholeFrom(1),
  now: aFunction,
}

const fileError = oneOf('ValidationError', 'CSVValidationError')

type CsvCall =
  | 'detect'
  | 'readRows'
  | 'readChunk'
  | 'lintForItemReader'
  | 'splitToManifest'
  | 'splitToObjects'
  | 'validate'
  | 'splitCsv'
  | 'validateCsv'
  | 'createChunkReader'

const checks: Readonly<Record<CsvCall, OptionChecks>> = {
  detect: dialect,
  readRows: { ...opening, ...rows, firstRow: wholeFrom(1) },
  readChunk: { ...reading, ...rows },
  createChunkReader: { ...reading, reasonColumn: aText, storeOf: aFunction, fileError },
  lintForItemReader: { ...opening, maxFindings: wholeFrom(1) },
  splitToManifest: splitting,
  splitToObjects: { ...splitting, id: aText, concurrency: wholeFrom(1) },
  validate: checking,
  splitCsv: { ...splitting, chunksAs: oneOf('ranges', 'objects'), fileError, explain: aFunction },
  validateCsv: {
    ...checking,
    input: anything,
    target: aFunction,
    onInvalid: oneOf('return', 'throw'),
    fileError,
    split: membersOf(chunks),
  },
}

/** @throws TypeError if an option is impossible or unknown */
export function assertCsvOptions(of: CsvCall, options: unknown): void {
  assertOptions(of, options, checks[of])
}
