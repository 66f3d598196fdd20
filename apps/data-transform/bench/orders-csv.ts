import { cachedFile } from '@stepwright/bench'
import { openDuckDb, quoteText } from '../src/local/duckdb.ts'

/** Orders in eight columns, some 74 bytes each. */
export function ordersCsv(rows: number): Promise<string> {
  return ordersFile(rows, 'csv', '(FORMAT csv, HEADER)')
}

/** The same as JSON Lines, some 170 bytes each. */
export function ordersJsonl(rows: number): Promise<string> {
  return ordersFile(rows, 'jsonl', '(FORMAT json)')
}

function ordersFile(rows: number, extension: string, format: string): Promise<string> {
  return cachedFile(`orders-${rows}-v1.${extension}`, async path => {
    using duckDb = await openDuckDb({ threads: 2, memoryLimitMb: 400, temporaryDirectory: `${path}.tmp` })
    await duckDb.run(
      `COPY (SELECT n AS order_id, 'customer-' || (n * 7919 % 100000) AS customer,
         round((n * 31 % 100000) / 100.0, 2) AS price, n % 9 + 1 AS quantity,
         ['NEW', 'PAID', 'SENT'][n % 3 + 1] AS status,
         TIMESTAMP '2025-09-07' + to_milliseconds(n * 8) AS created_at, n % 2 = 0 AS gift,
         'note ' || (n % 1000) AS note
       FROM range(${rows}) AS numbers(n)) TO ${quoteText(path)} ${format}`,
    )
  })
}
