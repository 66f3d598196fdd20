import type { Dataset } from './data.ts'

export function copyScript({ table, columns }: Dataset, file: string): string {
  return `\\copy ${table} (${columns.join(', ')}) from '${file}'\n`
}

/** What one would write by hand: COPY into a temporary table, then one INSERT … ON CONFLICT. */
export function upsertScript({ table, columns, key, updated }: Dataset, file: string): string {
  const names = columns.join(', ')
  const action =
    updated.length === 0
      ? 'DO NOTHING'
      : `DO UPDATE SET ${updated.map(name => `${name} = excluded.${name}`).join(', ')}
         WHERE (${updated.map(name => `stored.${name}`).join(', ')})
           IS DISTINCT FROM (${updated.map(name => `excluded.${name}`).join(', ')})`
  return `BEGIN;
CREATE TEMPORARY TABLE staged ON COMMIT DROP AS SELECT ${names} FROM ${table} LIMIT 0;
\\copy staged (${names}) from '${file}'
INSERT INTO ${table} AS stored (${names}) SELECT ${names} FROM staged ON CONFLICT (${key.join(', ')}) ${action};
COMMIT;
`
}
