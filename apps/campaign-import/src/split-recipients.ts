import { splitCsv } from '@stepwright/csv-chunker/tasks'
import { CSVValidationError, isTaskError } from '@stepwright/errors'
import { maxChunks, rowsPerChunk } from './import-limits.ts'
import { expectedColumns, isHeader } from './recipient-csv.ts'

/** State 1: finds where each 5,000 rows of the CSV begin and end, and which columns hold what. */
export const splitRecipients = splitCsv({
  rowsPerChunk,
  maxChunks,
  digest: 'none', // every read is bound to the version
  header: isHeader,
  columns: expectedColumns,
  fileError: 'CSVValidationError',
  explain: blameTheHeader,
})

function blameTheHeader(error: unknown): unknown {
  if (!isTaskError(error, CSVValidationError) || error.code !== 'HEADER_MISMATCH') return error
  const message = 'no column holds addresses: name one "email" or "メールアドレス" (header)'
  return new CSVValidationError(message, { code: 'EMAIL_COLUMN_MISSING', details: { row: 0 }, cause: error })
}
