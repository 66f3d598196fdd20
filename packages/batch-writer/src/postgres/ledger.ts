import type { ChunkClaim, ChunkCounts, ChunkKey, ChunkRecord, RejectedRow } from '../row-sink.ts'
import { quoteLiteral, quoteName } from './quote.ts'

export const defaultLedgerTable = 'stepwright_chunk_ledger'

/** The ledger's table: what was committed, in the same transaction as the rows it speaks of. */
export function ledgerSql(tableName: string = defaultLedgerTable): string {
  return `CREATE TABLE IF NOT EXISTS ${quoteName(tableName)} (
  job text NOT NULL,
  chunk text NOT NULL,
  checksum text NOT NULL,
  attempt integer NOT NULL,
  received bigint NOT NULL DEFAULT 0,
  inserted bigint NOT NULL DEFAULT 0,
  updated bigint NOT NULL DEFAULT 0,
  unchanged bigint NOT NULL DEFAULT 0,
  duplicates bigint NOT NULL DEFAULT 0,
  rejected bigint NOT NULL DEFAULT 0,
  deleted bigint NOT NULL DEFAULT 0,
  rejections jsonb NOT NULL DEFAULT '[]',
  started_at timestamptz NOT NULL DEFAULT now(),
  -- NULL only while a scope is being cleared, which takes more than one transaction.
  completed_at timestamptz,
  PRIMARY KEY (job, chunk)
);
`
}

export function dropLedgerSql(tableName: string = defaultLedgerTable): string {
  return `DROP TABLE IF EXISTS ${quoteName(tableName)}`
}

const record = `checksum, attempt, received, inserted, updated, unchanged, duplicates, rejected, rejections`

/** Claims the chunk, waiting for any transaction that holds it, and reads the entry that is there then. */
export function claimSql(ledger: string, { jobId, chunk, checksum, attempt }: ChunkClaim): string {
  return `INSERT INTO ${quoteName(ledger)} (job, chunk, checksum, attempt)
    VALUES (${[jobId, chunk, checksum, attempt].map(quoteLiteral).join(', ')}) ON CONFLICT DO NOTHING;
    SELECT ${record} FROM ${quoteName(ledger)} WHERE ${isKey({ jobId, chunk })}`
}

export function toRecord({ jobId, chunk }: ChunkKey, row: readonly (string | null)[]): ChunkRecord {
  const [checksum, attempt, received, inserted, updated, unchanged, duplicates, rejected, rejections] = row
  return {
    jobId,
    chunk,
    checksum: String(checksum),
    attempt: Number(attempt),
    counts: {
      received: Number(received),
      inserted: Number(inserted),
      updated: Number(updated),
      unchanged: Number(unchanged),
      duplicates: Number(duplicates),
      rejected: Number(rejected),
    },
    rejected: JSON.parse(rejections ?? '[]') as RejectedRow[],
  }
}

export function completeSql(
  ledger: string,
  key: ChunkKey,
  counts: ChunkCounts,
  rejected: readonly RejectedRow[],
): string {
  // jsonb can hold neither a NUL nor half a surrogate pair, which a rejected text may bring into the reason.
  const rejections = JSON.stringify(rejected, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\ufffd') : value,
  )
  const set = Object.entries(counts).map(([name, count]) => `${name} = ${count}`)
  return `UPDATE ${quoteName(ledger)} SET ${set.join(', ')}, rejections = ${quoteLiteral(rejections)},
    completed_at = now() WHERE ${isKey(key)}`
}

export function isKey({ jobId, chunk }: ChunkKey): string {
  return `job = ${quoteLiteral(jobId)} AND chunk = ${quoteLiteral(chunk)}`
}

/** Scopes that were cleared have entries too, without a checksum. */
const isChunk = `completed_at IS NOT NULL AND checksum <> ''`

export function findSql(ledger: string, jobId: string, chunks: readonly string[]): string {
  return `SELECT chunk, ${record} FROM ${quoteName(ledger)}
    WHERE job = ${quoteLiteral(jobId)} AND chunk IN (${chunks.map(quoteLiteral).join(', ')}) AND ${isChunk}`
}

/** Waits for any transaction that holds the chunk; to be rolled back. */
export function waitSql(ledger: string, jobId: string, chunk: string): string {
  return `INSERT INTO ${quoteName(ledger)} (job, chunk, checksum, attempt)
    VALUES (${[jobId, chunk, '', 0].map(quoteLiteral).join(', ')}) ON CONFLICT DO NOTHING`
}

/** A row of totals, then a row for each rejected row. */
export function summarizeSql(ledger: string, jobId: string, maxRejectedRows: number): string {
  const ofJob = `${quoteName(ledger)} WHERE job = ${quoteLiteral(jobId)} AND ${isChunk}`
  const counts = ['received', 'inserted', 'updated', 'unchanged', 'duplicates', 'rejected']
  // Each chunk has its rows in order: no more chunks are needed than rows are wanted.
  return `SELECT count(*), ${counts.map(name => `coalesce(sum(${name}), 0)`).join(', ')} FROM ${ofJob};
    SELECT each FROM (
      SELECT rejections FROM ${ofJob} AND rejected > 0
       ORDER BY (rejections -> 0 ->> 'rowNumber')::bigint LIMIT ${Math.max(0, maxRejectedRows)}
    ) AS chunks, jsonb_array_elements(rejections) AS each
    ORDER BY (each ->> 'rowNumber')::bigint LIMIT ${Math.max(0, maxRejectedRows)}`
}

/** What somebody is at work with is left for the next time. */
export function purgeSql(
  ledger: string,
  completedBefore: Date,
  jobId: string | undefined,
  limit: number,
): string {
  const table = quoteName(ledger)
  const ofJob = jobId === undefined ? '' : `job = ${quoteLiteral(jobId)} AND `
  return `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table}
     WHERE ${ofJob}coalesce(completed_at, started_at) < ${quoteLiteral(completedBefore.toISOString())}
     LIMIT ${limit} FOR UPDATE SKIP LOCKED))`
}
