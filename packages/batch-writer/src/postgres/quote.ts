import pg from 'pg'

/** `schema.table` as SQL names; a column's name is taken whole, dots and all. */
export function quoteName(name: string, kind: 'table' | 'column' = 'table'): string {
  const parts = kind === 'table' ? name.split('.') : [name]
  return parts.map(part => pg.escapeIdentifier(part)).join('.')
}

export function quoteLiteral(value: string | number | bigint | boolean | null): string {
  if (value === null) return 'NULL'
  return pg.escapeLiteral(String(value))
}
