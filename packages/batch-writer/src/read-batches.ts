import { type ArrangedRows, arrange, inOrder } from './arrange.ts'
import { type Conflict, isKeyed } from './conflict.ts'
import { type Rejections, toRejectedRow } from './rejections.ts'

/** Opens the records of a chunk; called again for every attempt. Yields single records or pages of them. */
export type RecordSource<Item> = () =>
  | Iterable<Item | readonly Item[]>
  | AsyncIterable<Item | readonly Item[]>

/**
 * Maps a record to the row to be written. A business error it throws rejects the record; undefined passes it over,
 * as if it were not there, except that it has a number.
 */
export type ToRow<Item, Row> = (record: Item, rowNumber: number) => Row | undefined

export interface ReadOptions<Item, Row> {
  readonly records: RecordSource<Item>
  readonly toRow: ToRow<Item, Row>
  readonly conflict: Conflict
  /** The columns to sort a batch by, where the conflict mode has no key. */
  readonly order?: readonly string[] | undefined
  readonly batchSize: number
  readonly sortWindow: number
  readonly firstRowNumber: number
  readonly rejections: Rejections
}

export interface BatchReader<Row> {
  readonly batches: AsyncIterable<ArrangedRows<Row>>
  /** Records read until now, rejected ones included, those passed over not. */
  received(): number
}

/** Reads the records of a chunk into batches of rows that may be written as they are. */
export function createBatchReader<Item, Row extends object>({
  records,
  toRow,
  conflict,
  order = [],
  batchSize,
  sortWindow,
  firstRowNumber,
  rejections,
}: ReadOptions<Item, Row>): BatchReader<Row> {
  const keyed = isKeyed(conflict) ? conflict : undefined
  const windowSize = keyed ? Math.max(sortWindow, batchSize) : batchSize
  let received = 0
  let passedOver = 0
  let rows: Row[] = []
  let numbers: number[] = []

  function add(record: Item): void {
    const rowNumber = firstRowNumber + received + passedOver
    try {
      const row = toRow(record, rowNumber)
      if (row === undefined) {
        passedOver += 1
        return
      }
      received += 1
      rows.push(row)
      numbers.push(rowNumber)
    } catch (thrown) {
      received += 1
      rejections.add(toRejectedRow(rowNumber, thrown))
    }
  }
  function* takeWindow(): Generator<ArrangedRows<Row>> {
    const window = keyed
      ? arrange({ rows, numbers }, keyed)
      : { ...inOrder({ rows, numbers }, order), merged: new Map() }
    rows = []
    numbers = []
    for (let start = 0; start < window.rows.length; start += batchSize) {
      const end = start + batchSize
      yield {
        rows: window.rows.slice(start, end),
        numbers: window.numbers.slice(start, end),
        merged: window.merged,
      }
    }
  }
  function isFullWith(record: Item): boolean {
    add(record)
    return rows.length >= windowSize
  }
  function* takePage(page: readonly Item[]): Generator<ArrangedRows<Row>> {
    for (const record of page) if (isFullWith(record)) yield* takeWindow()
  }
  async function* read(): AsyncGenerator<ArrangedRows<Row>> {
    const source = records()
    if (Symbol.asyncIterator in source) {
      for await (const item of source) yield* takePage(toPage(item))
    } else {
      for (const item of source) {
        if (Array.isArray(item)) yield* takePage(item)
        // Without a page of its own: that would cost more than encoding the record.
        else if (isFullWith(item as Item)) yield* takeWindow()
      }
    }
    yield* takeWindow()
  }
  return { batches: read(), received: () => received }
}

function toPage<Item>(item: Item | readonly Item[]): readonly Item[] {
  return Array.isArray(item) ? item : [item as Item]
}
