import { outsideScope, RefusedBatchError, type Scope } from '../row-sink.ts'
import { execute } from './batch-writers.ts'
import { scopeSql } from './clear-scope.ts'
import type { Rows } from './copy-ways.ts'
import { position } from './probe.ts'
import { toRowParameters } from './row-parameters.ts'
import type { Savepoints } from './savepoints.ts'
import type { SpareBuffers } from './spare-buffers.ts'
import type { Table } from './table.ts'

export interface ScopeCheckOptions {
  readonly scope: Scope | undefined
  readonly savepoints: Savepoints
  readonly table: Table
  readonly spare: SpareBuffers
}

/** Refuses batches with rows outside the scope. The server is asked where the values are not spelled as the scope is. */
export function createScopeCheck({
  scope,
  savepoints,
  table,
  spare,
}: ScopeCheckOptions): (rows: Rows) => Promise<void> {
  const parts = Object.entries(scope ?? {})
  const columns = table.columns.filter(({ name }) => scope && Object.hasOwn(scope, name))
  function isSpelledAlike(row: object): boolean {
    return parts.every(([name, wanted]) => {
      const value = (row as Readonly<Record<string, unknown>>)[name]
      if (value === undefined || typeof value === 'object' || typeof wanted === 'object') return false
      return String(value) === String(wanted)
    })
  }
  return async rows => {
    if (scope === undefined || rows.every(isSpelledAlike)) return
    const parameters = toRowParameters(rows, columns, { spare, position })
    const sql = `SELECT min(${position}) FROM ${parameters.source} WHERE (${scopeSql(scope)}) IS NOT TRUE`
    const answer = await execute(sql, parameters, savepoints.open)
    const first = answer.rows.at(-1)?.[0]
    if (first === null || first === undefined) return
    const column = columns.map(({ name }) => name).join(', ')
    throw new RefusedBatchError({ ...outsideScope, column, suspect: Number(first) - 1 })
  }
}
