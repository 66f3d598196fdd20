import { changedColumns, type KeyedConflict } from '../conflict.ts'
import type { Column, Table } from './table.ts'
import { differsSql } from './upsert-sql.ts'

/** What is to be done with a row whose key was looked up: insert it, change what is stored, or nothing. */
export type Fate = 'n' | 'c' | 'u'

/** The columns that a probe has to see: the key, and what a conflict would change. */
export function probeColumns(columns: readonly Column[], conflict: KeyedConflict): Column[] {
  const { update, increment } = changedColumns(conflict)
  const seen = new Set([...conflict.key, ...update, ...increment])
  return columns.filter(column => seen.has(column.name))
}

export const position = 'stepwright_position'

/**
 * Looks up the keys of a batch and answers with a letter a row, without locking or writing anything. The LIMIT
 * keeps the planner to one index lookup a row, whatever its statistics say.
 */
export function probeSql(table: Table, conflict: KeyedConflict, source: string): string {
  const sameKey = table.columns
    .filter(column => conflict.key.includes(column.name))
    .map(({ quoted }) => `stored.${quoted} = given.${quoted}`)
  return `SELECT string_agg(coalesce((
      SELECT CASE WHEN ${differsSql(table.columns, conflict, 'given')} THEN 'c' ELSE 'u' END
        FROM ${table.name} AS stored WHERE ${sameKey.join(' AND ')} LIMIT 1
    ), 'n'), '' ORDER BY given.${position})
    FROM ${source}`
}
