import { type CsvFile, formatCsv, rearmFormula } from '@stepwright/csv-chunker'
import type { LogOutcome } from './outcomes.ts'
import { reasonColumn } from './user-activity.ts'

export interface ErrorGroup {
  count: number
  /** The first ones. */
  readonly samples: { readonly itemIndex: number; readonly reason: string }[]
}

/** Counts outcomes as they pass. */
export interface OutcomeCounts {
  successCount: number
  errorCount: number
  /** By the name of the error. */
  readonly errors: Record<string, ErrorGroup>
}

const maxSamples = 5
const maxReason = 300

/** The rows that were not reflected, as a CSV that can be corrected and uploaded again: each with its reason. */
export function toRejectedCsv(
  { columns, columnOf }: Pick<CsvFile, 'columns' | 'columnOf'>,
  outcomes: AsyncIterable<LogOutcome>,
  counts: OutcomeCounts,
): AsyncIterable<Uint8Array> {
  const earlierReason = columnOf?.[reasonColumn]
  const own = columns.filter(column => column !== earlierReason)
  const original = earlierReason ? rearmFormula : (field: string) => field
  async function* toFields(): AsyncGenerator<readonly string[]> {
    for await (const outcome of outcomes) {
      count(outcome, counts)
      const { itemIndex, userRecord, error } = outcome
      if (error === undefined || userRecord === undefined) continue
      const reason = `row ${itemIndex}: ${error.Error}: ${error.Cause}`
      yield [...own.map(column => original(userRecord[column] ?? '')), reason]
    }
  }
  return formatCsv([...own, reasonColumn], toFields())
}

function count({ itemIndex, error }: LogOutcome, counts: OutcomeCounts): void {
  if (error === undefined) {
    counts.successCount += 1
    return
  }
  counts.errorCount += 1
  const group = counts.errors[error.Error] ?? { count: 0, samples: [] }
  counts.errors[error.Error] = group
  group.count += 1
  if (group.samples.length >= maxSamples) return
  group.samples.push({ itemIndex, reason: error.Cause.slice(0, maxReason) })
}
