import type { Claim, IdempotencyStore, KeyState, Lock, LockSpan, Outcome } from './idempotency-store.ts'
import { defaultTableName, quoteTableName, type TableOptions } from './idempotency-table.ts'

/** The part of a `pg` pool or client that is needed. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>
}

export interface PostgresIdempotencyStoreOptions extends TableOptions {
  /** A pool, or the one client whose transaction the store is to take part in. */
  readonly pool: PostgresClient
  /** Milliseconds since the epoch. @default the server's clock, so that callers' clocks do not matter */
  readonly now?: () => number
}

interface Row {
  readonly status: string
  readonly expires_in_ms: string
  readonly data: string | null
  readonly validation: string | null
}

/** Records in a PostgreSQL table; see `createIdempotencyMigration`. */
export function createPostgresIdempotencyStore({
  pool,
  tableName = defaultTableName,
  now,
}: PostgresIdempotencyStoreOptions): IdempotencyStore {
  const name = quoteTableName(tableName)
  const run = async <T>(statement: (name: string) => string, values: unknown[]): Promise<readonly T[]> =>
    (await pool.query(statement(name), values)).rows as T[]
  const changed = async (statement: (name: string) => string, ...values: unknown[]): Promise<boolean> =>
    (await run(statement, values)).length > 0
  const time = (): number | null => (now ? Math.floor(now()) : null)
  const find = async (key: string): Promise<KeyState | undefined> => {
    const [row] = await run<Row>(select, [time(), key])
    return row && toState(row)
  }

  return {
    find,
    async acquire({ key, token, fingerprint, ...span }: Claim) {
      // What stands in the way may be gone by the time it is read.
      for (let attempt = 0; attempt < 5; attempt += 1) {
        if (await changed(insert, time(), key, token, ...spanOf(span), fingerprint ?? null)) {
          return { state: 'acquired' }
        }
        const state = await find(key)
        if (state) return state
      }
      return { state: 'held', expiresInMs: 0 }
    },
    renew({ key, token }: Lock, span: LockSpan) {
      return changed(extend, time(), key, token, ...spanOf(span))
    },
    complete({ key, token }: Lock, outcome: Outcome, ttlMs: number) {
      const data = JSON.stringify(outcome.ok ? outcome.value : outcome.failure) ?? null
      return changed(settle, time(), key, token, outcome.ok ? 'COMPLETED' : 'FAILED', data, Math.ceil(ttlMs))
    },
    release({ key, token }: Lock) {
      return changed(remove, key, token)
    },
  }
}

/**
 * Deletes keys that have expired, at most so many at once, and says how many. Expired keys do no harm but take up
 * space: call it now and then, until it finds fewer than the limit.
 */
export async function deleteExpiredKeys(
  { pool, tableName = defaultTableName, now }: PostgresIdempotencyStoreOptions,
  limit = 1_000,
): Promise<number> {
  const values = [now ? Math.floor(now()) : null, limit]
  return (await pool.query(purge(quoteTableName(tableName)), values)).rows.length
}

// The first parameter is the time, null for the server's.
const nowMs = 'coalesce($1::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint)'
function seconds(ms: string): string {
  return `ceil((${nowMs} + ${ms}::bigint) / 1000.0)::bigint`
}
const expiryMs = `case r.status when 'INPROGRESS' then r.in_progress_expiration else r.expiration * 1000 end`
const isRepeated = `(r.status = 'INPROGRESS' and r.owner = excluded.owner)`

function insert(name: string): string {
  return `
insert into ${name} as r (id, status, owner, expiration, in_progress_expiration, validation)
values ($2, 'INPROGRESS', $3, ${seconds('$5')}, ${nowMs} + $4::bigint, $6)
on conflict (id) do update
  set status = excluded.status, owner = excluded.owner, validation = excluded.validation, data = null,
      expiration = greatest(r.expiration, excluded.expiration),
      in_progress_expiration = case when ${isRepeated}
        then greatest(r.in_progress_expiration, excluded.in_progress_expiration)
        else excluded.in_progress_expiration end
  where ${expiryMs} < ${nowMs} or ${isRepeated}
returning id`
}

function select(name: string): string {
  return `
select status, data, validation, (${expiryMs} - ${nowMs})::text as expires_in_ms
from ${name} as r where id = $2 and ${expiryMs} >= ${nowMs}`
}

function extend(name: string): string {
  return `
update ${name} set
  in_progress_expiration = greatest(in_progress_expiration, ${nowMs} + $4::bigint),
  expiration = greatest(expiration, ${seconds('$5')})
where id = $2 and owner = $3 and status = 'INPROGRESS' returning id`
}

function settle(name: string): string {
  return `
update ${name} set status = $4, data = $5, expiration = ${seconds('$6')}
where id = $2 and owner = $3 returning id`
}

function remove(name: string): string {
  return `
delete from ${name} where id = $1 and owner = $2 and status = 'INPROGRESS' returning id`
}

/** For how long the record is locked, and for how long it is kept at least. */
function spanOf({ lockMs, ttlMs }: LockSpan): readonly [number, number] {
  return [Math.ceil(lockMs), Math.ceil(Math.max(lockMs, ttlMs))]
}

// A record is kept at least as long as it is locked.
function purge(name: string): string {
  return `
delete from ${name} where id in (
  select id from ${name} where expiration < floor(${nowMs} / 1000.0) limit $2 for update skip locked
) returning id`
}

function toState({ status, expires_in_ms, data, validation }: Row): KeyState {
  const facts = { expiresInMs: Number(expires_in_ms), fingerprint: validation ?? undefined }
  if (status === 'INPROGRESS') return { state: 'held', ...facts }
  const value = data === null ? undefined : JSON.parse(data)
  const outcome: Outcome = status === 'FAILED' ? { ok: false, failure: value } : { ok: true, value }
  return { state: 'settled', outcome, ...facts }
}
