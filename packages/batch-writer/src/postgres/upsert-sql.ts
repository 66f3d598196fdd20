import { type Conflict, changedColumns, isKeyed, type KeyedConflict } from '../conflict.ts'
import type { Column, Table } from './table.ts'

/**
 * `INSERT … SELECT … FROM source ON CONFLICT …`. Where rows may be updated, it answers with one row: how many
 * were inserted and how many updated; otherwise the command's own count is all there is to know. What is given for an
 * identity column is taken, as COPY takes it.
 */
export function upsertSql(table: Table, conflict: Conflict, source: string): string {
  const names = table.columns.map(column => column.quoted).join(', ')
  const insert = (from: string): string =>
    `INSERT INTO ${table.name} AS stored (${names}) OVERRIDING SYSTEM VALUE SELECT ${names} FROM ${from} ${onConflict(table.columns, conflict)}`
  if (!isKeyed(conflict) || conflict.mode === 'ignore') return insert(source)
  if (table.tellsInserted) {
    return `WITH written AS (${insert(source)} RETURNING (stored.xmax = 0) AS is_new)
      SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new) FROM written`
  }
  // There is no xmax to tell by: what was there before the statement counts as updated.
  const sameKey = pick(table.columns, conflict.key).map(({ quoted }) => `stored.${quoted} = given.${quoted}`)
  return `WITH given AS MATERIALIZED (SELECT ${names} FROM ${source}),
      found AS (SELECT count(*) AS rows FROM given JOIN ${table.name} AS stored ON ${sameKey.join(' AND ')}),
      written AS (${insert('given')} RETURNING 1),
      counted AS (SELECT count(*) AS rows FROM written),
      fresh AS (SELECT least(counted.rows, (SELECT count(*) FROM given) - found.rows) AS rows FROM counted, found)
    SELECT fresh.rows, counted.rows - fresh.rows FROM fresh, counted`
}

/** Whether a conflict would change the stored row; a row that would stay the same is not written again. */
export function differsSql(columns: readonly Column[], conflict: KeyedConflict, given: string): string {
  const { update, increment, newest } = changedColumns(conflict)
  const differs = [
    ...pick(columns, update).map(
      column =>
        `${comparable(column, `stored.${column.quoted}`)} IS DISTINCT FROM ${comparable(column, asStored(column, given))}`,
    ),
    ...pick(columns, increment).map(({ quoted }) => `${given}.${quoted} <> 0`),
  ]
  if (differs.length === 0) return 'false'
  const changes = differs.join(' OR ')
  if (newest.length === 0) return changes
  const age = (from: string): string => `(${pick(columns, newest).map(({ quoted }) => `${from}.${quoted}`)})`
  // What has no age is older than anything that has.
  return `(${changes}) AND coalesce(${age(given)} >= ${age('stored')}, true)`
}

function onConflict(columns: readonly Column[], conflict: Conflict): string {
  if (!isKeyed(conflict)) return ''
  const target = pick(columns, conflict.key)
    .map(column => column.quoted)
    .join(', ')
  const { update, increment } = changedColumns(conflict)
  const set = [
    ...pick(columns, update).map(({ quoted }) => `${quoted} = excluded.${quoted}`),
    ...pick(columns, increment).map(
      ({ quoted }) => `${quoted} = coalesce(stored.${quoted}, 0) + coalesce(excluded.${quoted}, 0)`,
    ),
  ]
  if (set.length === 0) return `ON CONFLICT (${target}) DO NOTHING`
  return `ON CONFLICT (${target}) DO UPDATE SET ${set.join(', ')}
    WHERE ${differsSql(columns, conflict, 'excluded')}`
}

/** What is given as the column would store it, as far as a cast does the same. */
function asStored({ quoted, roundedType }: Column, given: string): string {
  const value = `${given}.${quoted}`
  return roundedType === undefined ? value : `${value}::${roundedType}`
}

function comparable({ isExact }: Column, value: string): string {
  return isExact ? value : `${value}::text COLLATE "C"`
}

function pick(columns: readonly Column[], names: readonly string[]): Column[] {
  return names.map(name => columns.find(column => column.name === name) as Column)
}
