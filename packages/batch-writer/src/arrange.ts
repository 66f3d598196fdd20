import { changedColumns, type KeyedConflict } from './conflict.ts'

/** Rows with their numbers in the chunk. */
export interface NumberedRows<Row> {
  readonly rows: readonly Row[]
  readonly numbers: readonly number[]
}

export interface ArrangedRows<Row> extends NumberedRows<Row> {
  /** The rows that were merged into one, by the row that stands for them. */
  readonly merged: ReadonlyMap<Row, NumberedRows<Row>>
}

type Fields = Readonly<Record<string, unknown>>
type Key = string | number | bigint

/**
 * Sorts rows by their key, so that concurrent transactions take locks in one order, and merges rows of the same
 * key as if they had been written one after the other. Keys that only the database knows to be equal (citext,
 * say) stay apart, and so do sums that could lose precision: the database refuses such a statement with 21000,
 * and the rows are then written by statements of their own.
 */
export function arrange<Row extends object>(
  { rows, numbers }: NumberedRows<Row>,
  conflict: KeyedConflict,
): ArrangedRows<Row> {
  const keys = rows.map(row => keyOf(row as Fields, conflict.key))
  if (isAscending(keys)) return { rows, numbers, merged: new Map() }

  const order = Uint32Array.from(keys.keys()).sort((a, b) => compare(keys[a] as Key, keys[b] as Key) || a - b)
  const arranged = { rows: [] as Row[], numbers: [] as number[] }
  const merged = new Map<Row, NumberedRows<Row>>()
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && isSame(keys[order[start] as number], keys[order[end] as number])) end += 1
    const group = [...order.subarray(start, end)]
    const same = { rows: group.map(i => rows[i] as Row), numbers: group.map(i => numbers[i] as number) }
    const one = same.rows.length > 1 ? merge(same.rows, conflict) : undefined
    if (one === undefined) {
      arranged.rows.push(...same.rows)
      arranged.numbers.push(...same.numbers)
    } else {
      arranged.rows.push(one)
      arranged.numbers.push(same.numbers[0] as number)
      merged.set(one, same)
    }
    start = end
  }
  return { ...arranged, merged }
}

/** A row without a whole key equals no other, as NULL does in a unique index. */
const NO_KEY = ''

function keyOf(row: Fields, columns: readonly string[]): Key {
  if (columns.length === 1) return keyPart(row[columns[0] as string])
  let key = ''
  for (const column of columns) {
    const part = keyPart(row[column])
    if (part === NO_KEY) return NO_KEY
    key += `${part}\u0000`
  }
  return key
}

function keyPart(value: unknown): Key {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (value === null || value === undefined) return NO_KEY
  if (value instanceof Date) return value.getTime()
  // A prefix keeps the empty string apart from no key.
  return `=${value}`
}

function isSame(a: Key | undefined, b: Key | undefined): boolean {
  return a === b && a !== NO_KEY
}

function compare(a: Key, b: Key): number {
  if (typeof a === 'string' && typeof b !== 'string') return 1
  if (typeof a !== 'string' && typeof b === 'string') return -1
  return a < b ? -1 : a > b ? 1 : 0
}

function isAscending(keys: readonly Key[]): boolean {
  for (let i = 1; i < keys.length; i += 1) {
    if (compare(keys[i - 1] as Key, keys[i] as Key) >= 0) return false
  }
  return true
}

function merge<Row extends object>(rows: readonly Row[], conflict: KeyedConflict): Row | undefined {
  const first = rows[0] as Fields
  const last = rows.at(-1) as Fields
  const { update, increment } = changedColumns(conflict)
  // A copy, so that every merged row is an object of its own in the map.
  const one: Record<string, unknown> = { ...first }
  for (const column of update) one[column] = last[column]
  for (const column of increment) {
    const total = sum(rows.map(row => (row as Fields)[column]))
    if (total === undefined) return undefined
    one[column] = total
  }
  return one as Row
}

/** Exact, or undefined. */
function sum(values: readonly unknown[]): number | bigint | undefined {
  let total = 0n
  for (const value of values) {
    if (value === null || value === undefined) continue
    if (typeof value === 'bigint') total += value
    else if (Number.isSafeInteger(value)) total += BigInt(value as number)
    else return undefined
  }
  const number = Number(total)
  return Number.isSafeInteger(number) ? number : total
}
