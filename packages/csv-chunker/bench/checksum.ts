import type { Row } from '../src/index.ts'
import type { TakeRow } from './contenders.ts'

/** Rows, and a sum that any lost, broken or moved character changes. */
export interface Checksum {
  readonly take: TakeRow
  readonly result: () => readonly [rows: number, sum: number]
}

/** Over every character: for one run of each contender before the clock starts. */
export function createChecksum(): Checksum {
  let rows = 0
  let sum = 0
  return {
    take(row) {
      rows += 1
      for (const name in row) {
        const value = row[name] as string
        for (let at = 0; at < value.length; at += 1) sum = (Math.imul(sum, 31) + value.charCodeAt(at)) | 0
        sum = (Math.imul(sum, 31) + 1) | 0
      }
    },
    result: () => [rows, sum],
  }
}

/** Over the lengths of two columns: hardly any work, so that the clock measures the parser. */
export function createLengthSum([first, last]: readonly [string, string]): Checksum {
  let rows = 0
  let sum = 0
  return {
    take(row: Row) {
      rows += 1
      sum += (row[first] as string).length * 31 + (row[last] as string).length
    },
    result: () => [rows, sum],
  }
}
