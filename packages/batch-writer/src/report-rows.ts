import type { RowOutcome } from './read-outcomes.ts'

/** Why a row was not written: the name of the error, and its words. */
export interface RowError {
  readonly name: string
  readonly reason: string
}

/** What became of a row, as a report says it: without an error it was written. */
export interface ReportedRow<Item> {
  readonly rowNumber: number
  readonly item?: Item
  readonly error?: RowError
}

/** What became of a row; the failure is why an unwritten one was not. */
export function reportRow<Item>(outcome: RowOutcome<Item>, failure: RowError): ReportedRow<Item> {
  const { rowNumber } = outcome
  const row = outcome.item === undefined ? { rowNumber } : { rowNumber, item: outcome.item }
  if (outcome.outcome === 'rejected') {
    return { ...row, error: { name: outcome.errorName, reason: outcome.rejected.reason } }
  }
  return outcome.outcome === 'unwritten' ? { ...row, error: failure } : row
}

export interface OutcomeCounts {
  readonly successCount: number
  readonly errorCount: number
  /** By the name of the error, with the first samples. */
  readonly errors: Readonly<Record<string, ErrorGroup>>
}

export interface ErrorGroup {
  readonly count: number
  readonly samples: readonly { readonly rowNumber: number; readonly reason: string }[]
}

const maxSamples = 5
const maxReason = 300

/** Counts rows as they pass, from `written` rows that need not be looked at. */
export function createOutcomeCounter(written = 0): {
  count(row: ReportedRow<unknown>): void
  counts(): OutcomeCounts
} {
  const groups = new Map<string, { count: number; samples: { rowNumber: number; reason: string }[] }>()
  let [successCount, errorCount] = [written, 0]
  return {
    count({ rowNumber, error }) {
      if (error === undefined) {
        successCount += 1
        return
      }
      errorCount += 1
      const group = groups.get(error.name) ?? { count: 0, samples: [] }
      groups.set(error.name, group)
      group.count += 1
      const reason = error.reason.slice(0, maxReason)
      if (group.samples.length < maxSamples) group.samples.push({ rowNumber, reason })
    },
    counts: () => ({ successCount, errorCount, errors: Object.fromEntries(groups) }),
  }
}

export interface RejectedCsvOptions {
  /** The file that the rows are of, as csv-chunker describes it. */
  readonly file: {
    readonly columns: readonly string[]
    readonly columnOf?: Readonly<Record<string, string | null>> | undefined
  }
  /** The column that says why, in addition to the file's own. */
  readonly reasonColumn: string
  /** Writes a CSV: `formatCsv` of csv-chunker. */
  readonly format: (
    columns: readonly string[],
    rows: AsyncIterable<readonly string[]>,
  ) => AsyncIterable<Uint8Array>
  /** Undoes what `format` did to a field, where the file was written by it: `rearmFormula` of csv-chunker. */
  readonly restore: (field: string) => string
  /** Sees every row, also those that were written. */
  readonly onRow?: (row: ReportedRow<unknown>) => void
}

/**
 * The rows that were not written, as a CSV that can be corrected and uploaded again, each with its reason. The reason
 * of an earlier such file is replaced.
 */
export function toRejectedCsv(
  rows: AsyncIterable<ReportedRow<Readonly<Record<string, string>>>>,
  { file, reasonColumn, format, restore, onRow = () => {} }: RejectedCsvOptions,
): AsyncIterable<Uint8Array> {
  const earlierReason = file.columnOf?.[reasonColumn]
  const own = file.columns.filter(column => column !== earlierReason)
  const original = earlierReason ? restore : (field: string) => field
  async function* toFields(): AsyncGenerator<readonly string[]> {
    for await (const row of rows) {
      onRow(row)
      const { rowNumber, item, error } = row
      if (error === undefined || item === undefined) continue
      const reason = `row ${rowNumber}: ${error.name}: ${error.reason}`
      yield [...own.map(column => original(item[column] ?? '')), reason]
    }
  }
  return format([...own, reasonColumn], toFields())
}
