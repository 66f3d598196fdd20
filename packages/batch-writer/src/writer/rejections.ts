import { DataValidationError, toTaskError } from '@stepwright/errors'
import type { RejectedRow } from '../row-sink.ts'

export interface RejectionLimit {
  /** How many rows of a chunk may be rejected. @default 1000 */
  readonly maxRejected: number
  /** How many percent of a chunk's rows may be rejected. @default 100 */
  readonly maxRejectedPercent: number
}

export interface Rejections {
  readonly rows: readonly RejectedRow[]
  /** Throws a `DataValidationError` as soon as there are too many. */
  add(row: RejectedRow): void
  /** Throws a `DataValidationError` if the share of all received rows is too big. */
  assertShare(received: number): void
}

/** Enough to see what is wrong, and small enough for an error that a state machine carries around. */
const shown = 10
/** Whoever maps records may say more than anybody wants to read. */
const maxReasonCharacters = 500

export function createRejections(
  chunk: string,
  { maxRejected, maxRejectedPercent }: RejectionLimit,
): Rejections {
  const rows: RejectedRow[] = []

  function refuse(limit: string): never {
    const [first] = rows
    throw new DataValidationError(
      `chunk ${chunk}: more than ${limit} of its rows were rejected, so nothing was written; the first is row ${first?.rowNumber}${first?.column === undefined ? '' : `, column ${first.column}`}: ${first?.reason}`,
      { code: 'TOO_MANY_REJECTED_ROWS', details: { rejected: rows.slice(0, shown) } },
    )
  }
  return {
    rows,
    add(row) {
      rows.push({ ...row, reason: shorten(row.reason, maxReasonCharacters) })
      if (rows.length > maxRejected) refuse(String(maxRejected))
    },
    assertShare(received) {
      if (rows.length * 100 > received * maxRejectedPercent) refuse(`${maxRejectedPercent} %`)
    },
  }
}

/** The rejected row that a failed mapping means; a failure that is no verdict on the data is thrown on. */
export function toRejectedRow(rowNumber: number, thrown: unknown): RejectedRow {
  const error = toTaskError(thrown)
  if (error.kind !== 'business') throw thrown
  return { rowNumber, reason: error.message }
}

/** At most so many UTF-16 units, without half a surrogate pair at the end. */
function shorten(text: string, max: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max
  return text.length <= max ? text : text.slice(0, end)
}
