import { type ReadRowsOptions, readRows } from '../src/read/read-rows.ts'
import { createBytesSource } from '../src/source/byte-source.ts'

/** All rows of a CSV at once. */
export async function rowsOf(
  csv: string | Buffer,
  options: ReadRowsOptions = {},
): Promise<Record<string, string>[]> {
  const rows: Record<string, string>[] = []
  for await (const batch of readRows(createBytesSource(Buffer.from(csv as string)), options)) {
    rows.push(...(batch.rows as Record<string, string>[]))
  }
  return rows
}
