import { createRedactor, type Redactor } from '@stepwright/audit-log'
import type { ToRow } from '@stepwright/batch-writer'
import { type CsvFile, type ExpectedColumn, type Row, rearmFormula } from '@stepwright/csv-chunker'
import { DataValidationError } from '@stepwright/errors'
import type { CsvBatch } from './csv-batch.ts'
import { toUploadOrder } from './object-created.ts'

/** What one upload of a file says of a user. The view `user_activity` adds up the last completed upload of every file. */
export interface UserContribution {
  /** The bucket and key of the file. */
  readonly source: string
  readonly upload_order: string
  readonly user_id: string
  readonly login_count: number
  readonly post_count: number
}

/** Which chunks of which jobs were written. A name of its own: other apps may share the database. */
export const ledgerTable = 'csv_processor_ledger'

/** Rows of one upload that are about the same user are added up. */
export const contributionTable = {
  tableName: 'user_contribution',
  columns: ['source', 'upload_order', 'user_id', 'login_count', 'post_count'],
  conflict: {
    mode: 'increment',
    key: ['source', 'upload_order', 'user_id'],
    columns: ['login_count', 'post_count'],
  },
  ledgerTableName: ledgerTable,
} as const

/** The column that a CSV of rejected rows has in addition; uploaded again, it is read over. */
export const reasonColumn = 'error'

/** What a file may call the columns, in any order. */
export const logColumns = {
  user_id: { aliases: ['ユーザーID'] },
  login_count: { aliases: ['ログイン回数'] },
  post_count: { aliases: ['投稿回数'] },
  [reasonColumn]: { optional: true },
} satisfies Record<string, ExpectedColumn>

const shown = { properties: { login_count: {}, ログイン回数: {}, post_count: {}, 投稿回数: {} } }

/** Keeps who it was out of the trail: file and row say that to those who may read the file. */
export const redactUsers: Redactor = createRedactor({
  schema: { properties: { userRecord: { ...shown, additionalProperties: { sensitive: true } } } },
})

/** How long trails are kept: 400 days. */
export const trailSeconds: number = 400 * 86_400

/** Uploads of one key replace each other; those of different keys add up. */
export function sourceOf({ bucket = '', key }: Pick<CsvFile, 'bucket' | 'key'>): string {
  return `${bucket}/${key}`
}

const userId = /^[0-9A-Za-z][\w.@-]{0,63}$/
const wholeNumber = /^\d{1,9}$/

/** Reads the records of a file. A record that is not as it should be is a DataValidationError. */
export function createRecordParser({
  file,
  upload,
}: Pick<CsvBatch['BatchInput'], 'file' | 'upload'>): ToRow<Row, UserContribution> {
  const { columnOf = {} } = file
  const nameOf = (column: keyof typeof logColumns): string => columnOf[column] ?? column
  // What was rejected comes back as it was written for a spreadsheet.
  const read = columnOf[reasonColumn] ? rearmFormula : (text: string) => text
  const field = (record: Row, column: keyof typeof logColumns): string => read(record[nameOf(column)] ?? '')
  const count = (record: Row, column: 'login_count' | 'post_count'): number => {
    const text = field(record, column)
    if (wholeNumber.test(text)) return Number(text)
    throw new DataValidationError(`${nameOf(column)} must be a whole number from 0 to 999999999`, {
      details: { column },
    })
  }
  const fixed = { source: sourceOf(file), upload_order: toUploadOrder(upload) }
  return record => {
    const id = field(record, 'user_id')
    if (!userId.test(id)) {
      throw new DataValidationError(
        `${nameOf('user_id')} must be 1 to 64 letters, digits, "_", ".", "@" or "-", the first a letter or digit`,
        { details: { column: 'user_id' } },
      )
    }
    return {
      ...fixed,
      user_id: id,
      login_count: count(record, 'login_count'),
      post_count: count(record, 'post_count'),
    }
  }
}
