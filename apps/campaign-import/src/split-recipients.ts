import { splitCsv } from '@stepwright/csv-chunker/tasks'
import { CSVValidationError, isTaskError } from '@stepwright/errors'
import { maxChunks, rowsPerChunk } from './import-limits.ts'
import { expectedColumns, isHeader } from './recipient-csv.ts'

/** State 1: finds where each 5,000 rows of the CSV begin and end, and which columns hold what. */
export const splitRecipients = splitCsv({
  rowsPerChunk,
  maxChunks,
  digest: 'none', // every read is bound to the version
  dialect: { encodings: ['UTF-8', 'Shift_JIS', 'UTF-16LE', 'UTF-16BE', 'EUC-JP', 'ISO-2022-JP'] },
  header: isHeader,
  columns: expectedColumns,
  fileError: 'CSVValidationError',
  explain: blameTheHeader,
})

/** What staff have to do about a header, with what was found in its place. */
function blameTheHeader(error: unknown): unknown {
  if (!isTaskError(error, CSVValidationError) || !Array.isArray(error.details?.['found'])) return error
  const found: readonly string[] = error.details['found']
  const names = found.map(name => JSON.stringify(name)).join(', ')
  const [code, message] =
    error.code === 'DUPLICATE_COLUMN'
      ? ['EMAIL_COLUMN_TWICE', `two columns hold addresses, ${names}: delete or rename one`]
      : /^sep=/i.test(found[0] ?? '')
        ? ['SEPARATOR_LINE', 'the first line is "sep=", which Excel adds: delete that line']
        : [
            'EMAIL_COLUMN_MISSING',
            `no column holds addresses: the first line has ${names}; name a column "email" or "メールアドレス", and delete lines above the header`,
          ]
  return new CSVValidationError(message, { code, details: { row: 0, found }, cause: error })
}
