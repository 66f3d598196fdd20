import { type Dialect, isLatin, marksOf, unitBytes } from '../dialect/dialect.ts'
import { createPlainScanner } from './plain-scanner.ts'
import type { RecordScanner } from './record-scanner.ts'
import { createSimdScanner } from './simd-scanner.ts'

export interface ScannerOptions {
  /** Off for the plain implementation, which also serves where WebAssembly SIMD is missing. @default true */
  readonly simd?: boolean
}

export function createScanner(
  dialect: Dialect,
  dataBytes: number,
  { simd = true }: ScannerOptions = {},
): RecordScanner {
  const marks = marksOf(dialect)
  // 0xFF stands for "no quote" in the module; in the Latin encodings it is a letter.
  const fits = unitBytes(dialect.encoding) === 1 && (marks.quote >= 0 || !isLatin(dialect.encoding))
  const scanner = simd && fits ? createSimdScanner(marks, dataBytes) : undefined
  return scanner ?? createPlainScanner(marks, dialect.encoding, dataBytes)
}
