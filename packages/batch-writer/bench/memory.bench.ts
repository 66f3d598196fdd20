/** The peak memory of a process that writes 1,000,000 rows, and how much of it is due to their number. */

import { ledgerSql } from '@stepwright/batch-writer/postgres'
import { figure, peakRssMb } from '@stepwright/bench'
import { startPostgres } from '@stepwright/local-cloud/postgres'
import pg from 'pg'
import { users } from './data.ts'

await using server = await startPostgres({ databaseUrl: '' })
const client = new pg.Client({ connectionString: server.url })
await client.connect()
await client.query(`${ledgerSql()}; CREATE TABLE ${users.table} ${users.definition}`)
const script = new URL('./write-users.ts', import.meta.url).pathname
const sizes = [100_000, 1_000_000]
const peaks: number[] = []
for (const rows of sizes) {
  await client.query(`TRUNCATE ${users.table}`)
  const peak = await peakRssMb(script, [server.url, String(rows)])
  const { rows: stored } = await client.query(`SELECT count(*)::int AS count FROM ${users.table}`)
  if (stored[0].count !== rows) throw new Error(`${stored[0].count} rows were written, not ${rows}`)
  console.log(`${rows.toLocaleString('en')} rows: ${peak.toFixed(0)} MB`)
  peaks.push(peak)
}
await client.end()
figure('writer.rss_mb', Math.max(...peaks), { atMost: 150 })
