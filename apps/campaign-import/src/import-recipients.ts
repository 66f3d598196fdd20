import { writeChunk } from '@stepwright/batch-writer/tasks'
import type { Row } from '@stepwright/csv-chunker'
import { chunkSchema, csvFileSchema } from '@stepwright/csv-chunker/tasks'
import { CSVValidationError, DataValidationError, isTaskError } from '@stepwright/errors'
import * as z from 'zod/mini'
import type { RecipientRow } from './database.ts'
import { chunkErrors, importEndedState, SupersededError } from './errors.ts'
import { importJob } from './execution-names.ts'
import { maxRejectedRows } from './import-limits.ts'
import { createRecipientReader } from './recipient-csv.ts'
import { campaignRun } from './schemas.ts'

/** State 2, for each chunk: its rows become recipients, once, however often it is delivered. */
export const importRecipients = writeChunk({
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

/** Bad rows beyond the limit are the file's fault; the database says when the import has ended meanwhile. */
function blameTheFile(error: unknown): unknown {
  if (isTaskError(error, DataValidationError) && error.code === 'TOO_MANY_REJECTED_ROWS') {
    const [first] = (error.details?.['rejected'] ?? []) as { rowNumber: number; reason: string }[]
    const message = `more than ${maxRejectedRows} rows have no usable address; the first is row ${first?.rowNumber}: ${first?.reason}`
    return new CSVValidationError(message, { code: error.code, details: error.details, cause: error })
  }
  for (let link = error; link instanceof Error; link = link.cause) {
    if ((link as { code?: unknown }).code !== importEndedState) continue
    return new SupersededError('the import has ended or was replaced', { cause: error })
  }
  return error
}
