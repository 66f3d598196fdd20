import { type KeyForms, unknownKey } from '../key-form.ts'
import type { ArrangedRows } from './arrange.ts'

/**
 * Rows that were refused because they refer to one that does not exist (23503): it may come later in the chunk. What
 * follows with the same key waits too, so that the order of the records stays.
 */
export interface WaitingRows<Row> {
  readonly size: number
  add(row: ArrangedRows<Row>): void
  /** Takes in the rows whose key waits already; returns the others. */
  holdBack(batch: ArrangedRows<Row>): ArrangedRows<Row>
  /** All of them in their order, to be tried again. */
  take(): ArrangedRows<Row>
}

/** The SQLSTATE of a foreign key violation. */
export const missingReference = '23503'

export function createWaitingRows<Row extends object>(
  key: readonly string[],
  forms: KeyForms,
): WaitingRows<Row> {
  const toKeys = key.map(column => ({ column, toKey: forms(column) }))
  let waiting: ArrangedRows<Row>[] = []
  let keys = new Set<string>()

  function keyOf(row: Row): string | undefined {
    const parts = toKeys.map(({ column, toKey }) => {
      const value = (row as Readonly<Record<string, unknown>>)[column]
      if (value === null || value === undefined) return undefined
      const form = toKey(value)
      return form === unknownKey ? JSON.stringify(value) : String(form)
    })
    return parts.length === 0 || parts.includes(undefined) ? undefined : JSON.stringify(parts)
  }
  function add(row: ArrangedRows<Row>): void {
    waiting.push(row)
    const waitingKey = keyOf(row.rows[0] as Row)
    if (waitingKey !== undefined) keys.add(waitingKey)
  }
  return {
    get size() {
      return waiting.length
    },
    add,
    holdBack(batch) {
      if (keys.size === 0) return batch
      const free = { rows: [] as Row[], numbers: [] as number[] }
      for (const [i, row] of batch.rows.entries()) {
        const number = batch.numbers[i] as number
        const rowKey = keyOf(row)
        if (rowKey !== undefined && keys.has(rowKey)) add({ ...batch, rows: [row], numbers: [number] })
        else {
          free.rows.push(row)
          free.numbers.push(number)
        }
      }
      return { ...batch, ...free }
    },
    take() {
      const taken = waiting
      waiting = []
      keys = new Set()
      return {
        rows: taken.flatMap(({ rows }) => rows),
        numbers: taken.flatMap(({ numbers }) => numbers),
        merged: new Map(taken.flatMap(({ merged }) => [...merged])),
        distinct: false,
      }
    },
  }
}
