import { changedColumns, type KeyedConflict } from '../conflict.ts'
import { type Key, type KeyForms, unknownKey } from '../key-form.ts'
import { textOrder } from './text-order.ts'

/** Rows with their numbers in the chunk. */
export interface NumberedRows<Row> {
  readonly rows: readonly Row[]
  readonly numbers: readonly number[]
}

export interface ArrangedRows<Row> extends NumberedRows<Row> {
  /** The rows that were merged into one, by the row that stands for them. */
  readonly merged: ReadonlyMap<Row, NumberedRows<Row>>
  /** Whether all keys are known to differ. */
  readonly distinct: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** Sorts rows by these columns, if there are any. Where a key's order is unknown, the order of the records stays. */
export function inOrder<Row extends object>(
  { rows, numbers }: NumberedRows<Row>,
  columns: readonly string[],
  forms: KeyForms,
): NumberedRows<Row> {
  const keys = columns.length === 0 ? undefined : toKeys(rows as readonly Fields[], columns, forms)
  const order = keys && orderOf(keys, rows.length)
  return order ? { rows: pickAll(rows, order), numbers: pickAll(numbers, order) } : { rows, numbers }
}

/**
 * Sorts rows by their key, so that concurrent transactions take locks in one order, and merges rows of the same
 * key as if they had been written one after the other. Rows that may have the same key but cannot be merged (it is
 * spelled in two ways, or a sum could lose precision) go into parts that are written one after the other, in the
 * order of the records. Where only the database knows which keys are equal, all rows stay in the order of the
 * records: it refuses a statement with equal keys with 21000, and the rows are then written by statements of their own.
 */
export function arrange<Row extends object>(
  { rows, numbers }: NumberedRows<Row>,
  conflict: KeyedConflict,
  forms: KeyForms,
): readonly ArrangedRows<Row>[] {
  const merged = new Map<Row, NumberedRows<Row>>()
  const keys = toKeys(rows as readonly Fields[], conflict.key, forms)
  if (!keys) return [{ rows, numbers, merged, distinct: rows.length < 2 }]
  const order = orderOf(keys, rows.length)
  if (!order) return [{ rows, numbers, merged, distinct: true }]

  const parts: { readonly rows: Row[]; readonly numbers: number[] }[] = [{ rows: [], numbers: [] }]
  function put(row: Row, index: number, part: number): void {
    parts[part] ??= { rows: [], numbers: [] }
    parts[part].rows.push(row)
    parts[part].numbers.push(numbers[index] as number)
  }
  function putGroup(group: Uint32Array): void {
    const members = { rows: pickAll(rows, group), numbers: pickAll(numbers, group) }
    const one = isSpelledOnce(members.rows, conflict.key) ? merge(members.rows, conflict) : undefined
    if (one === undefined) {
      for (const [part, index] of group.entries()) put(rows[index] as Row, index, part)
    } else {
      put(one, group[0] as number, 0)
      merged.set(one, members)
    }
  }
  for (let start = 0; start < order.length; ) {
    const first = order[start] as number
    let end = start + 1
    while (end < order.length && isSame(keys, first, order[end] as number)) end += 1
    if (end - start === 1) put(rows[first] as Row, first, 0)
    else putGroup(order.subarray(start, end))
    start = end
  }
  return parts.map(part => ({ ...part, merged, distinct: true }))
}

/** Keys that are the same by the form that they are sorted by may still be different ones to the database. */
function isSpelledOnce(rows: readonly object[], columns: readonly string[]): boolean {
  const [first, ...others] = rows as readonly Fields[]
  return others.every(row => columns.every(column => isSameValue(row[column], first?.[column])))
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0
  return a === b
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

/**
 * By column, those left out that are the same in all rows: a campaign's import has one campaign. Undefined if a key
 * has no known form.
 */
function toKeys(
  rows: readonly Fields[],
  columns: readonly string[],
  forms: KeyForms,
): readonly Key[][] | undefined {
  const telling: Key[][] = []
  for (const column of columns) {
    const toKey = forms(column)
    const keys: Key[] = new Array(rows.length)
    let varies = false
    for (let i = 0; i < rows.length; i += 1) {
      const value = (rows[i] as Fields)[column]
      const key = value === null || value === undefined ? undefined : toKey(value)
      if (key === unknownKey) return undefined
      keys[i] = key
      if (key === undefined || key !== keys[0]) varies = true
    }
    if (varies || (telling.length === 0 && column === columns.at(-1))) telling.push(keys)
  }
  return telling
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
