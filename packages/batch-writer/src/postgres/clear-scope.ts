import type { Scope } from '../row-sink.ts'
import { isKey } from './ledger.ts'
import { quoteLiteral, quoteName } from './quote.ts'
import type { Session } from './session.ts'

export interface ClearStep {
  readonly session: Session
  readonly beginSql: string
  readonly tableName: string
  readonly ledger: string
  readonly jobId: string
  readonly scope: Scope
  /** At most so many rows are deleted in one transaction. */
  readonly rows: number
}

/** The ledger's key for the clearing of a scope. */
export function scopeKey(scope: Scope): string {
  const values = Object.entries(scope).sort(([a], [b]) => (a < b ? -1 : 1))
  return `scope ${JSON.stringify(values.map(([name, value]) => [name, typeof value === 'object' ? { below: String(value.below) } : String(value)]))}`
}

/**
 * Deletes one bounded batch of the scope's rows, unless the ledger says that the job has done with it. The
 * entry is locked meanwhile: a late duplicate cannot delete rows that the job wrote after clearing.
 */
export async function clearStep(
  step: ClearStep,
): Promise<{ readonly deleted: number; readonly done: boolean }> {
  const { session, beginSql, ledger, jobId, scope } = step
  const key = { jobId, chunk: scopeKey(scope) }
  const entry = quoteName(ledger)
  const { rows } = await session.query(
    `${beginSql};
     INSERT INTO ${entry} (job, chunk, checksum, attempt)
     VALUES (${quoteLiteral(jobId)}, ${quoteLiteral(key.chunk)}, '', 1) ON CONFLICT DO NOTHING;
     SELECT deleted, completed_at IS NOT NULL FROM ${entry} WHERE ${isKey(key)} FOR UPDATE`,
  )
  const [deleted, completed] = rows[0] ?? []
  if (completed === 't') {
    await session.query('ROLLBACK')
    return { deleted: Number(deleted), done: true }
  }
  const where = scopeSql(scope)
  const table = quoteName(step.tableName)
  // The scope is asked for twice because a partitioned table has the same ctid in every partition.
  const answer = await session.query(
    `WITH gone AS (
       DELETE FROM ${table}
        WHERE ${where} AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${step.rows}))
       RETURNING 1
     ), counted AS (SELECT count(*) AS rows FROM gone)
     UPDATE ${entry} SET deleted = deleted + counted.rows,
            completed_at = CASE counted.rows WHEN 0 THEN now() END
       FROM counted WHERE ${isKey(key)}
     RETURNING deleted, completed_at IS NOT NULL;
     COMMIT`,
  )
  const [total, done] = answer.rows[0] ?? []
  return { deleted: Number(total), done: done === 't' }
}

/** Whether a row is in the scope. */
export function scopeSql(scope: Scope): string {
  return Object.entries(scope)
    .map(([name, value]) => `${quoteName(name, 'column')} ${conditionOn(value)}`)
    .join(' AND ')
}

function conditionOn(value: Scope[string]): string {
  return typeof value === 'object' ? `< ${quoteLiteral(value.below)}` : `= ${quoteLiteral(value)}`
}
