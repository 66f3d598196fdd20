import type { Conflict } from '@stepwright/batch-writer'
import { DataValidationError } from '@stepwright/errors'

/** A row of the table: what one user did, over all files. */
export interface UserActivity {
  readonly user_id: string
  readonly login_count: number
  readonly post_count: number
}

export type UserActivityColumn = keyof UserActivity

/** What a file may call the columns. */
const headers: Readonly<Record<UserActivityColumn, string>> = {
  user_id: 'ユーザーID',
  login_count: 'ログイン回数',
  post_count: '投稿回数',
}

export const userActivityColumns: readonly UserActivityColumn[] = ['user_id', 'login_count', 'post_count']

/** A file's counts are added to the user's: each file holds what happened since the one before. */
export const userActivityConflict: Conflict<UserActivityColumn> = {
  mode: 'increment',
  key: ['user_id'],
  columns: ['login_count', 'post_count'],
}

/** The column that a CSV of rejected rows has in addition; uploaded again, it is read over. */
export const reasonColumn = 'error'

/** Which of a file's columns is which of the table's; any order, Japanese or English names. */
export type ColumnMapping = Readonly<Record<UserActivityColumn, string>>

/** The mapping, or what is wrong with the header. */
export function mapColumns(columns: readonly string[]): ColumnMapping | { readonly problem: string } {
  const mapping: Partial<Record<UserActivityColumn, string>> = {}
  for (const column of columns) {
    if (column === reasonColumn) continue
    const known = userActivityColumns.find(name => name === column || headers[name] === column)
    if (known === undefined) return { problem: `the column ${JSON.stringify(column)} is not known` }
    if (mapping[known] !== undefined)
      return { problem: `${mapping[known]} and ${column} are the same column` }
    mapping[known] = column
  }
  for (const name of userActivityColumns) {
    if (mapping[name] === undefined) return { problem: `the column ${headers[name]} (${name}) is missing` }
  }
  return mapping as ColumnMapping
}

const userId = /^[0-9A-Za-z][\w.@-]{0,63}$/
const wholeNumber = /^\d{1,9}$/

/** Reads the records of a file with these columns. A record that is not as it should be is a DataValidationError. */
export function createRecordParser(
  columns: readonly string[],
): (record: Readonly<Record<string, string>>) => UserActivity {
  const mapping = mapColumns(columns)
  if ('problem' in mapping) throw new DataValidationError(mapping.problem)
  const field = (record: Readonly<Record<string, string>>, name: UserActivityColumn): string =>
    record[mapping[name]] ?? ''
  const count = (record: Readonly<Record<string, string>>, name: UserActivityColumn): number => {
    const text = field(record, name)
    if (wholeNumber.test(text)) return Number(text)
    throw new DataValidationError(`${mapping[name]} is no whole number from 0 to 999999999`, {
      details: { column: name },
    })
  }
  return record => {
    const id = field(record, 'user_id')
    if (!userId.test(id)) {
      throw new DataValidationError(
        `${mapping.user_id} is not 1 to 64 letters, digits, "_", ".", "@" or "-", the first a letter or digit`,
        { details: { column: 'user_id' } },
      )
    }
    return { user_id: id, login_count: count(record, 'login_count'), post_count: count(record, 'post_count') }
  }
}
