import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteText } from './duckdb.ts'
import { assertStorable } from './spark-type.ts'

/** Writes what a statement selects, in types that every reader knows. */
export async function copyToParquet(
  duckDb: DuckDBConnection,
  statement: string,
  output: string,
): Promise<void> {
  const described = await duckDb.runAndReadAll(`SELECT * FROM (${statement}) LIMIT 0`)
  assertStorable(described.columnNames(), described.columnTypes())
  await duckDb.run(
    `COPY (${statement}) TO ${quoteText(output)} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)`,
  )
}
