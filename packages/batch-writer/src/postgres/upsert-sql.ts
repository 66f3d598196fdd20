import { type Conflict, changedColumns, isKeyed } from '../conflict.ts'
import type { Column, Table } from './table.ts'

/** `INSERT … SELECT … FROM source ON CONFLICT …`, answering with one row: how many were inserted and updated. */
export function upsertSql(table: Table, conflict: Conflict, source: string): string {
  const names = table.columns.map(column => column.quoted).join(', ')
  return `WITH written AS (
    INSERT INTO ${table.name} AS stored (${names})
    SELECT ${names} FROM ${source}
    ${onConflict(table.columns, conflict)}
    RETURNING (stored.xmax = 0) AS is_new
  ) SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new) FROM written`
}

/** The rows as arrays in the parameters $1, $2, …: however many rows, a parameter a column. */
export function unnestSource(columns: readonly Column[]): string {
  const arrays = columns.map((column, i) => `$${i + 1}::${column.sqlType}[]`).join(', ')
  return `unnest(${arrays}) AS given (${columns.map(column => column.quoted).join(', ')})`
}

function onConflict(columns: readonly Column[], conflict: Conflict): string {
  if (!isKeyed(conflict)) return ''
  const byName = new Map(columns.map(column => [column.name, column]))
  const pick = (names: readonly string[]): Column[] => names.map(name => byName.get(name) as Column)
  const target = pick(conflict.key)
    .map(column => column.quoted)
    .join(', ')
  const changed = changedColumns(conflict)
  const [update, increment] = [pick(changed.update), pick(changed.increment)]
  if (update.length + increment.length === 0) return `ON CONFLICT (${target}) DO NOTHING`

  const set = [
    ...update.map(({ quoted }) => `${quoted} = excluded.${quoted}`),
    ...increment.map(
      ({ quoted }) => `${quoted} = coalesce(stored.${quoted}, 0) + coalesce(excluded.${quoted}, 0)`,
    ),
  ]
  // A row that would stay the same is not written again.
  const differs = [
    ...update.map(column => `${comparable(column, 'stored')} IS DISTINCT FROM ${comparable(column, 'excluded')}`),
    ...increment.map(({ quoted }) => `excluded.${quoted} <> 0`),
  ]
  return `ON CONFLICT (${target}) DO UPDATE SET ${set.join(', ')} WHERE ${differs.join(' OR ')}`
}

function comparable({ quoted, comparable }: Column, from: string): string {
  return comparable ? `${from}.${quoted}` : `${from}.${quoted}::text`
}
