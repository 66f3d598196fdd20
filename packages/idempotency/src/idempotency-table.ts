export interface TableOptions {
  /** With its schema, if need be: `billing.idempotency`. @default 'idempotency' */
  readonly tableName?: string
}

export const defaultTableName = 'idempotency'

/** The statements that create the table; they may be run again. Its columns are Powertools' DynamoDB attributes. */
export function idempotencySql({ tableName = defaultTableName }: TableOptions = {}): string {
  const name = quoteTableName(tableName)
  return `
create table if not exists ${name} (
  id text primary key,
  status text not null check (status in ('INPROGRESS', 'COMPLETED', 'FAILED')),
  owner text not null,
  expiration bigint not null,
  in_progress_expiration bigint not null,
  data text,
  validation text
);
create index if not exists ${quoteTableName(`${tableName.split('.').at(-1)}_expiration`)} on ${name} (expiration)`
}

/** The statement that drops the table. */
export function dropIdempotencySql({ tableName = defaultTableName }: TableOptions = {}): string {
  return `drop table if exists ${quoteTableName(tableName)}`
}

export function quoteTableName(name: string): string {
  if (!/^\w+(\.\w+)?$/.test(name)) {
    throw new TypeError(
      `tableName must be letters, digits and "_", with or without a schema: not ${JSON.stringify(name)}`,
    )
  }
  return name.replace(/\w+/g, '"$&"')
}
