import { anObject, assertOptions, aText } from '@stepwright/errors/options'
import type { SuppressionReason, Suppressions } from '../suppressions.ts'
import { type Queryable, quote } from './queryable.ts'

export interface PostgresSuppressionsOptions {
  readonly pool: Queryable
  /** @default 'mail_suppressions' */
  readonly tableName?: string
}

export const defaultTableName = 'mail_suppressions'

export function createPostgresSuppressions(options: PostgresSuppressionsOptions): Suppressions {
  assertOptions('createPostgresSuppressions', options, { pool: anObject, tableName: aText })
  const { pool, tableName = defaultTableName } = options
  const table = quote(tableName)
  return {
    async add(suppressions) {
      const column = (name: 'address' | 'reason' | 'source') => suppressions.map(each => each[name])
      const { rowCount } = await pool.query(
        `insert into ${table} (address, reason, source)
         select * from unnest($1::text[], $2::text[], $3::text[]) on conflict do nothing`,
        [column('address'), column('reason'), column('source')],
      )
      return rowCount ?? 0
    },
    async find(addresses) {
      const { rows } = await pool.query(`select address, reason from ${table} where address = any($1)`, [
        addresses,
      ])
      const found = rows as { readonly address: string; readonly reason: SuppressionReason }[]
      return new Map(found.map(({ address, reason }) => [address, reason]))
    },
  }
}

export function suppressionsSql({
  tableName = defaultTableName,
}: {
  readonly tableName?: string
} = {}): string {
  return `create table if not exists ${quote(tableName)} (
    address text collate "C" primary key,
    reason text not null check (reason in ('bounced', 'complained', 'unsubscribed')),
    source text not null,
    created_at timestamptz not null default now()
  )`
}
