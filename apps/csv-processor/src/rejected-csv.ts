import type { CsvSource } from './csv-batch.ts'
import type { RowOutcome } from './row-outcomes.ts'
import { reasonColumn } from './user-activity.ts'

/** The rows that were not reflected as a CSV that can be corrected and uploaded again: each with its reason. */
export async function* toRejectedCsv(
  { columns }: Pick<CsvSource, 'columns'>,
  outcomes: AsyncIterable<RowOutcome>,
): AsyncGenerator<Uint8Array> {
  const own = columns.filter(column => column !== reasonColumn)
  yield toLine([...own, reasonColumn])
  for await (const { itemIndex, userRecord, error } of outcomes) {
    if (error === undefined || userRecord === undefined) continue
    const reason = `row ${itemIndex}: ${error.Error}: ${error.Cause}`
    yield toLine([...own.map(column => userRecord[column] ?? ''), reason])
  }
}

function toLine(fields: readonly string[]): Uint8Array {
  return Buffer.from(`${fields.map(quote).join(',')}\r\n`)
}

function quote(field: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
