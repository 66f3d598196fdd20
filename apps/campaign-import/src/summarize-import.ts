import { summarizeLedger } from '@stepwright/batch-writer/tasks'
import { CSVValidationError } from '@stepwright/errors'
import type * as z from 'zod/mini'
import { databaseErrors } from './errors.ts'
import { importJob } from './execution-names.ts'
import { maxRejectedRows } from './import-limits.ts'
import { campaignRun, counts } from './schemas.ts'

/** State 3, its sums: those of the ledger, which are committed together with the rows. */
export const summarizeImport = summarizeLedger({
  name: 'summarize-import',
  input: campaignRun,
  jobId: importJob,
  output: counts,
  report({ counts: { inserted, unchanged, duplicates, rejected }, rejected: rows }) {
    const rejected_rows = rows.map(({ rowNumber, reason }) => ({ row: rowNumber, reason }))
    refuseUseless(inserted, rejected, rejected_rows)
    return {
      total_count: inserted,
      duplicate_count: duplicates + unchanged,
      rejected_count: rejected,
      rejected_rows,
    }
  },
  errors: [CSVValidationError, ...databaseErrors],
})

function refuseUseless(total: number, rejected: number, rows: z.infer<typeof counts>['rejected_rows']): void {
  const [first] = rows
  const example = first ? `; the first is row ${first.row}: ${first.reason}` : ''
  const details = { rejected, rows: rows.slice(0, 10) }
  if (rejected > maxRejectedRows) {
    const message = `${rejected} rows have no usable address${example}`
    throw new CSVValidationError(message, { code: 'TOO_MANY_REJECTED_ROWS', details })
  }
  if (total > 0) return
  throw new CSVValidationError(`the file has no recipient${example}`, { code: 'NO_RECIPIENTS', details })
}
