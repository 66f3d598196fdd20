import { cr, type Encoding, lf, type Marks, unitBytes } from '../dialect/dialect.ts'
import { type Fault, margin, type RecordScan, type RecordScanner } from './record-scanner.ts'

/**
 * The same scanner unit by unit in plain JavaScript: for UTF-16, whose marks are two bytes wide, and for
 * machines without WebAssembly SIMD.
 */
export function createPlainScanner(marks: Marks, encoding: Encoding, dataBytes: number): RecordScanner {
  const { delimiter, quote, newline } = marks
  const memory = Buffer.allocUnsafeSlow(dataBytes + 2 * margin)
  const size = unitBytes(encoding)
  const low = encoding === 'UTF-16BE' ? 1 : 0
  const high = 1 - low
  const unit = (at: number): number =>
    size === 1 ? (memory[at] as number) : (memory[at + low] as number) | ((memory[at + high] as number) << 8)
  let inside = false

  return {
    memory,
    begin(at) {
      inside = false
      memory.fill(0, at - 2 * size, at)
      memory[at - 2 * size + (size === 1 ? 0 : low)] = newline
      memory[at - size + (size === 1 ? 0 : low)] = newline
    },
    follow(at, previousEnd) {
      memory.copyWithin(at - 2 * size, previousEnd - 2 * size, previousEnd)
    },
    release() {},
    scan(start, end, want): RecordScan {
      let records = 0
      let recordEnd = 0
      let fault: Fault | undefined
      let at = start
      let previous = unit(start - size)
      let beforePrevious = unit(start - 2 * size)
      for (; at + size <= end; at += size) {
        const current = unit(at)
        if (current === quote) {
          if (!inside && previous !== delimiter && previous !== newline && previous !== quote) {
            fault = 'STRAY_QUOTE'
            break
          }
          inside = !inside
        } else if (current === newline && !inside) {
          const empty = previous === newline || (newline === lf && previous === cr && beforePrevious === lf)
          if (!empty) {
            records += 1
            recordEnd = at + size
            if (records === want) {
              at = recordEnd
              break
            }
          }
        }
        beforePrevious = previous
        previous = current
      }
      return { records, stop: at, recordEnd, fault, inside }
    },
  }
}
