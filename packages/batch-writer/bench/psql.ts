import { spawn, spawnSync } from 'node:child_process'
import type { Dataset } from './data.ts'

export function assertPsql(): void {
  if (spawnSync('psql', ['--version']).status === 0) return
  console.error(
    'psql is missing: these figures compare with it. Install the PostgreSQL client and try again.',
  )
  process.exit(2)
}

/** Feeds a script to psql. */
export async function psql(url: string, script: string): Promise<void> {
  const child = spawn('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(script)
  const code = await new Promise(resolve => child.once('close', resolve))
  if (code !== 0) throw new Error(`psql ended with ${code}`)
}

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
