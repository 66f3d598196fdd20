import { type Conflict, isKeyed } from '../conflict.ts'
import type { KeyForms } from '../key-form.ts'
import { type ArrangedRows, arrange, inOrder } from './arrange.ts'
import { type Rejections, toRejectedRow } from './rejections.ts'
import { createRowSizer } from './row-size.ts'

/** Rows that follow one another in the original file, with the number of the first: as csv-chunker reads them. */
export interface NumberedRows<Item> {
  readonly firstRow: number
  readonly rows: readonly Item[]
}

/** A record, or some of them at once. */
export type Records<Item> = Item | readonly Item[] | NumberedRows<Item>

/**
 * Opens the records of a chunk; called again for every attempt. What it yields is all of one form: records, arrays
 * of them, or batches that say the number of their first row.
 */
export type RecordSource<Item> = () => Iterable<Records<Item>> | AsyncIterable<Records<Item>>

/**
 * Maps a record to the row to be written. A business error it throws rejects the record; undefined passes it over,
 * as if it were not there, except that it has a number.
 */
export type ToRow<Item, Row> = (record: Item, rowNumber: number) => Row | undefined

export interface RowOrder {
  /** Where the conflict mode has no key. */
  readonly columns: readonly string[]
  readonly keyForms: KeyForms
}

export interface ReadOptions<Item, Row> {
  readonly records: RecordSource<Item>
  readonly toRow: ToRow<Item, Row>
  readonly conflict: Conflict
  /** What to sort a batch by; known when the sink is open. */
  readonly order: Promise<RowOrder>
  readonly batchSize: number
  readonly sortWindow: number
  readonly maxBatchBytes: number
  readonly firstRowNumber: number
  readonly rejections: Rejections
}

export interface BatchReader<Row> {
  /** Begins to read, without waiting to be asked for a batch. */
  start(): void
  /** Undefined at the end. */
  next(): Promise<ArrangedRows<Row> | undefined>
  /** Ends reading, also in the middle. Never throws. */
  close(): Promise<void>
  /** Records read until now, rejected ones included, those passed over not. */
  received(): number
}

/** Reads the records of a chunk into batches of rows that may be written as they are. */
export function createBatchReader<Item, Row extends object>({
  records,
  toRow,
  conflict,
  order,
  batchSize,
  sortWindow,
  maxBatchBytes,
  firstRowNumber,
  rejections,
}: ReadOptions<Item, Row>): BatchReader<Row> {
  const keyed = isKeyed(conflict) ? conflict : undefined
  const windowSize = keyed ? Math.max(sortWindow, batchSize) : batchSize
  let received = 0
  let nextNumber = firstRowNumber
  let rows: Row[] = []
  let numbers: number[] = []
  let sizeOf = createRowSizer()
  let bytes = 0

  function add(record: Item): void {
    const rowNumber = nextNumber
    nextNumber += 1
    try {
      const row = toRow(record, rowNumber)
      if (row === undefined) return
      received += 1
      rows.push(row)
      bytes += sizeOf(row)
      numbers.push(rowNumber)
    } catch (thrown) {
      received += 1
      rejections.add(toRejectedRow(rowNumber, thrown))
    }
  }
  async function* takeWindow(): AsyncGenerator<ArrangedRows<Row>> {
    const taken = { rows, numbers }
    rows = []
    numbers = []
    bytes = 0
    sizeOf = createRowSizer()
    const { columns, keyForms } = await order
    const parts = keyed
      ? arrange(taken, keyed, keyForms)
      : [{ ...inOrder(taken, columns, keyForms), merged: new Map<Row, ArrangedRows<Row>>(), distinct: true }]
    for (const part of parts) {
      if (part.rows.length > 0 && part.rows.length <= batchSize) yield part
      else yield* batchesOf(part)
    }
  }
  function* batchesOf(part: ArrangedRows<Row>): Generator<ArrangedRows<Row>> {
    for (let start = 0; start < part.rows.length; start += batchSize) {
      const end = start + batchSize
      yield { ...part, rows: part.rows.slice(start, end), numbers: part.numbers.slice(start, end) }
    }
  }
  function isFull(): boolean {
    return rows.length >= windowSize || bytes >= maxBatchBytes
  }
  /** Adds records until the window is full; returns the index behind the last one. */
  function fill(page: readonly Item[], start: number): number {
    let i = start
    for (; i < page.length && !isFull(); i += 1) add(page[i] as Item)
    return i
  }
  async function* takePage(page: readonly Item[]): AsyncGenerator<ArrangedRows<Row>> {
    for (let i = 0; i < page.length; ) {
      i = fill(page, i)
      if (isFull()) yield* takeWindow()
    }
  }
  function toPage(item: Records<Item>): readonly Item[] {
    if (Array.isArray(item)) return item
    if (!isNumberedRows(item)) return [item as Item]
    nextNumber = item.firstRow
    return item.rows
  }
  async function* read(): AsyncGenerator<ArrangedRows<Row>> {
    const source = records()
    if (Symbol.asyncIterator in source) {
      for await (const item of source) yield* takePage(toPage(item))
    } else if (isPage(source)) {
      yield* takePage(source)
    } else {
      for (const item of source) {
        if (isSeveral(item)) yield* takePage(toPage(item))
        else {
          // Without a page of its own: that would cost more than encoding the record.
          add(item)
          if (isFull()) yield* takeWindow()
        }
      }
    }
    yield* takeWindow()
  }
  const batches = read()
  let first: Promise<IteratorResult<ArrangedRows<Row>>> | undefined
  return {
    start() {
      first = batches.next()
      // Whoever asks for the first batch hears of it.
      first.catch(() => {})
    },
    async next() {
      const { value, done } = await (first ?? batches.next())
      first = undefined
      return done ? undefined : value
    },
    async close() {
      await batches.return(undefined).catch(() => {})
    },
    received: () => received,
  }
}

function isPage<Item>(source: Iterable<Records<Item>>): source is readonly Item[] {
  return Array.isArray(source) && !isSeveral(source[0])
}

function isSeveral<Item>(item: Records<Item>): item is readonly Item[] | NumberedRows<Item> {
  return Array.isArray(item) || isNumberedRows(item)
}

function isNumberedRows<Item>(item: Records<Item>): item is NumberedRows<Item> {
  const { rows, firstRow } = (item ?? {}) as Partial<NumberedRows<Item>>
  return Array.isArray(rows) && typeof firstRow === 'number'
}
