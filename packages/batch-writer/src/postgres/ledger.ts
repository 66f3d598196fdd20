import type { ChunkClaim, ChunkCounts, ChunkKey, ChunkRecord, RejectedRow } from '../row-sink.ts'
import { quoteLiteral, quoteName } from './quote.ts'

export const defaultLedger = 'stepwright_chunk_ledger'

/** The ledger's table: what was committed, in the same transaction as the rows it speaks of. */
export function ledgerSql(table: string = defaultLedger): string {
  return `CREATE TABLE IF NOT EXISTS ${quoteName(table)} (
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

export function dropLedgerSql(table: string = defaultLedger): string {
  return `DROP TABLE IF EXISTS ${quoteName(table)}`
}

const record = `checksum, attempt, received, inserted, updated, unchanged, duplicates, rejected, rejections`

/** Claims the chunk, waiting for any transaction that holds it, and reads the entry that is there then. */
export function claimSql(ledger: string, { job, chunk, checksum, attempt }: ChunkClaim): string {
  return `INSERT INTO ${quoteName(ledger)} (job, chunk, checksum, attempt)
    VALUES (${[job, chunk, checksum, attempt].map(quoteLiteral).join(', ')}) ON CONFLICT DO NOTHING;
    SELECT ${record} FROM ${quoteName(ledger)} WHERE ${isKey({ job, chunk })}`
}

export function toRecord({ job, chunk }: ChunkKey, row: readonly (string | null)[]): ChunkRecord {
  const [checksum, attempt, received, inserted, updated, unchanged, duplicates, rejected, rejections] = row
  return {
    job,
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

export function isKey({ job, chunk }: ChunkKey): string {
  return `job = ${quoteLiteral(job)} AND chunk = ${quoteLiteral(chunk)}`
}
