import type { Marks } from '../dialect/dialect.ts'
import { type Fault, margin, type RecordScan, type RecordScanner } from './record-scanner.ts'
import { acquireScanner, releaseScanner, type ScannerExports } from './scanner-exports.ts'

export const faults: readonly (Fault | undefined)[] = [
  undefined,
  'STRAY_QUOTE',
  'TEXT_AFTER_QUOTE',
  'COLUMN_COUNT',
]

export function setMarks(exports: ScannerExports, { delimiter, quote, newline }: Marks): void {
  exports.delimiter.value = delimiter
  exports.quote.value = quote & 0xff
  exports.newline.value = newline
}

export function createSimdScanner(marks: Marks, dataBytes: number): RecordScanner | undefined {
  const exports = acquireScanner(dataBytes + 2 * margin)
  if (!exports) return undefined
  const memory = Buffer.from(exports.memory.buffer)
  setMarks(exports, marks)
  return {
    memory,
    begin(at) {
      exports.inside.value = 0
      memory.fill(marks.newline, at - 2, at)
    },
    follow(at, previousEnd) {
      memory.copyWithin(at - 2, previousEnd - 2, previousEnd)
    },
    release: () => releaseScanner(exports),
    scan(start, end, want): RecordScan {
      const records = exports.scan(start, end, want)
      return {
        records,
        stop: exports.stop.value,
        recordEnd: exports.recordEnd.value,
        fault: faults[exports.fault.value],
        inside: exports.inside.value !== 0,
      }
    },
  }
}
