import { clearScope, summarizeLedger, writeChunk } from '@stepwright/batch-writer/tasks'
import type { Row } from '@stepwright/csv-chunker'
import { chunkSchema, csvFileSchema, splitCsv } from '@stepwright/csv-chunker/tasks'
import { CSVValidationError, DataValidationError, isTaskError } from '@stepwright/errors'
import { startExecution } from '@stepwright/idempotency/tasks'
import * as z from 'zod/mini'
import type { RecipientRow } from './database.ts'
import { chunkErrors, databaseErrors, importEndedState, SupersededError } from './errors.ts'
import { importJob, sendName } from './execution-names.ts'
import { createRecipientReader, expectedColumns, isHeader } from './recipient-csv.ts'
import { campaignRun, counts } from './schemas.ts'

// The states of `import.asl.json` that are handlers of the library, told what they need to know of campaigns.

export const rowsPerChunk = 5000
/** As many as fit into a state's payload and an execution's history: 7,500,000 rows. */
const maxChunks = 1500
export const maxRejectedRows = 1000

/** State 0, and after a failure: what imports before revision `below` have brought goes away. */
export const deleteExistingRecipients = /* @__PURE__ */ clearScope({
  name: 'delete-existing-recipients',
  input: z.object({ ...campaignRun.shape, below: z.int() }),
  target: ({ campaign_id, below, ...run }) => ({
    jobId: importJob({ campaign_id, ...run }),
    scope: { campaign_id, revision: { below } },
  }),
  errors: databaseErrors,
})

/** State 1: finds where each 5,000 rows of the CSV begin and end, and which columns hold what. */
export const splitRecipients = /* @__PURE__ */ splitCsv({
  rowsPerChunk,
  maxChunks,
  digest: 'none', // every read is bound to the version
  header: isHeader,
  columns: expectedColumns,
  fileError: 'CSVValidationError',
  explain: blameTheHeader,
})

/** State 2, for each chunk: its rows become recipients, once, however often it is delivered. */
export const importRecipients = /* @__PURE__ */ writeChunk({
  name: 'import-recipients',
  input: z.object({ ...campaignRun.shape, file: csvFileSchema, chunk: chunkSchema }),
  entries: input => [{ jobId: importJob(input), ...input }],
  toRow({ campaign_id, revision, file: { columnOf = {} } }) {
    const toRecipient = createRecipientReader(columnOf)
    return (row: Row): RecipientRow | undefined => {
      const recipient = toRecipient(row)
      if (recipient === undefined) return undefined
      const { email, name, fields } = recipient
      return { campaign_id, revision, email, name, fields }
    }
  },
  explain: blameTheFile,
  errors: [CSVValidationError, SupersededError, ...chunkErrors],
  output: z.object({ inserted: z.int() }),
  report: ({ counts: { inserted } }) => ({ inserted }),
})

/** State 3, its sums: those of the ledger, which are committed together with the rows. */
export const summarizeImport = /* @__PURE__ */ summarizeLedger({
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

/** State 3, its end: the send workflow, which waits until the time has come. */
export const startSending = /* @__PURE__ */ startExecution({
  name: 'start-sending',
  event: z.object({ ...campaignRun.shape, scheduled_at: z.string() }),
  executionName: sendName,
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

function blameTheHeader(error: unknown): unknown {
  if (!isTaskError(error, CSVValidationError) || error.code !== 'HEADER_MISMATCH') return error
  const message = 'no column holds addresses: name one "email" or "メールアドレス" (header)'
  return new CSVValidationError(message, { code: 'EMAIL_COLUMN_MISSING', details: { row: 0 }, cause: error })
}

/** Bad rows beyond the limit are the file's fault; the database says when the import has ended meanwhile. */
function blameTheFile(error: unknown): unknown {
  if (isTaskError(error, DataValidationError) && error.code === 'TOO_MANY_REJECTED_ROWS') {
    const { message, code, details } = error
    return new CSVValidationError(message, { code, ...(details && { details }), cause: error })
  }
  for (let link = error; link instanceof Error; link = link.cause) {
    if ((link as { code?: unknown }).code !== importEndedState) continue
    return new SupersededError('the import has ended or was replaced', { cause: error })
  }
  return error
}
