import { changedColumns, type KeyedConflict } from '../conflict.ts'
import { textOrder } from './text-order.ts'

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
type Key = string | number | bigint | undefined

/** Sorts rows by these columns, if there are any. */
export function inOrder<Row extends object>(
  { rows, numbers }: NumberedRows<Row>,
  columns: readonly string[],
): NumberedRows<Row> {
  if (columns.length === 0) return { rows, numbers }
  const order = orderOf(toKeys(rows as readonly Fields[], columns), rows.length)
  return order ? { rows: pickAll(rows, order), numbers: pickAll(numbers, order) } : { rows, numbers }
}

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
  const keys = toKeys(rows as readonly Fields[], conflict.key)
  const order = orderOf(keys, rows.length)
  if (!order) return { rows, numbers, merged: new Map() }

  const arranged = { rows: [] as Row[], numbers: [] as number[] }
  const merged = new Map<Row, NumberedRows<Row>>()
  function put(row: Row, index: number): void {
    arranged.rows.push(row)
    arranged.numbers.push(numbers[index] as number)
  }
  function putGroup(group: Uint32Array): void {
    const members = { rows: pickAll(rows, group), numbers: pickAll(numbers, group) }
    const one = merge(members.rows, conflict)
    if (one === undefined) {
      for (const index of group) put(rows[index] as Row, index)
    } else {
      put(one, group[0] as number)
      merged.set(one, members)
    }
  }
  for (let start = 0; start < order.length; ) {
    const first = order[start] as number
    let end = start + 1
    while (end < order.length && isSame(keys, first, order[end] as number)) end += 1
    if (end - start === 1) put(rows[first] as Row, first)
    else putGroup(order.subarray(start, end))
    start = end
  }
  return { ...arranged, merged }
}

/** The indexes in the order of the keys; undefined if every key is above the one before. */
function orderOf(keys: readonly Key[][], count: number): Uint32Array | undefined {
  const compare = (a: number, b: number): number => compareKeys(keys, a, b)
  if (isAscending(count, compare)) return undefined
  return isSingleText(keys) ? textOrder(keys[0]) : Uint32Array.from({ length: count }, toIndex).sort(compare)
}

function toIndex(_: unknown, index: number): number {
  return index
}

/** By column, those left out that are the same in all rows: a campaign's import has one campaign. */
function toKeys(rows: readonly Fields[], columns: readonly string[]): readonly Key[][] {
  const varying = columns.filter(column => isVarying(rows, column))
  const telling = varying.length > 0 ? varying : columns.slice(-1)
  return telling.map(column => rows.map(row => toKey(row[column])))
}

function isVarying(rows: readonly Fields[], column: string): boolean {
  const first = toKey(rows[0]?.[column])
  return first === undefined || rows.some(row => toKey(row[column]) !== first)
}

/**
 * A row without a whole key equals no other, as NULL does in a unique index. What objects and lists are equal, only
 * the database knows.
 */
function toKey(value: unknown): Key {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.getTime()
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : undefined
}

function isSame(keys: readonly Key[][], a: number, b: number): boolean {
  for (const column of keys) if (column[a] !== column[b] || column[a] === undefined) return false
  return true
}

/** Most keys are single texts, and sorting is most of the work here. */
function isSingleText(keys: readonly Key[][]): keys is readonly [string[]] {
  return keys.length === 1 && (keys[0] ?? []).every(key => typeof key === 'string')
}

function compareKeys(keys: readonly Key[][], a: number, b: number): number {
  for (const column of keys) {
    const order = compareKey(column[a], column[b])
    if (order !== 0) return order
  }
  return 0
}

/** Numbers come before texts, and what has no key before both. */
function compareKey(a: Key, b: Key): number {
  if (a === b) return 0
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1
  const aIsText = typeof a === 'string'
  if (aIsText !== (typeof b === 'string')) return aIsText ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}

function isAscending(length: number, compare: (a: number, b: number) => number): boolean {
  for (let i = 1; i < length; i += 1) if (compare(i - 1, i) >= 0) return false
  return true
}

function pickAll<T>(values: readonly T[], indexes: Uint32Array): T[] {
  const picked = new Array<T>(indexes.length)
  for (let i = 0; i < indexes.length; i += 1) picked[i] = values[indexes[i] as number] as T
  return picked
}

function merge<Row extends object>(rows: readonly Row[], conflict: KeyedConflict): Row | undefined {
  const first = rows[0] as Fields
  const { update, increment, newest } = changedColumns(conflict)
  const last = newest.length === 0 ? rows.at(-1) : newestOf(rows as readonly Fields[], newest)
  if (last === undefined) return undefined
  // A copy, so that every merged row is an object of its own in the map.
  const one: Record<string, unknown> = { ...first }
  for (const column of update) one[column] = (last as Fields)[column]
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

/** The later one of those that are equally new; undefined where only the database can tell. */
function newestOf(rows: readonly Fields[], columns: readonly string[]): Fields | undefined {
  const ages = columns.map(column => rows.map(row => toAge(row[column])))
  if (ages.some(column => column.includes(undefined))) return undefined
  let best = 0
  for (let i = 1; i < rows.length; i += 1) if (compareKeys(ages, i, best) >= 0) best = i
  return rows[best]
}

function toAge(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return value instanceof Date ? value.getTime() : undefined
}
