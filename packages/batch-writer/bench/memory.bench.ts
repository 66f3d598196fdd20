/** The peak memory of a process that writes 1,000,000 rows, bundled as a Lambda is. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure, peakRssMb } from '@stepwright/bench'
import { startPostgres } from '@stepwright/local-postgres'
import { build } from 'esbuild'
import pg from 'pg'
import { ledgerSql } from '../src/postgres/ledger.ts'
import { users } from './data.ts'

await using server = await startPostgres({ databaseUrl: '' })
const client = new pg.Client({ connectionString: server.url })
await client.connect()
await client.query(`${ledgerSql()}; CREATE TABLE ${users.table} ${users.definition}`)
const directory = await mkdtemp(join(tmpdir(), 'writer-memory-'))
const script = join(directory, 'write-users.cjs')
await build({
  entryPoints: [join(import.meta.dirname, '../test/write-users.ts')],
  outfile: script,
  bundle: true,
  minify: true,
  platform: 'node',
  external: ['pg-native'],
})
// As Lambda sizes V8's heap for a function of 256 MB: 5 % of it for a semi-space. Node on a big machine takes
// more before it collects anything, whatever the program.
const asInLambda = '--max-semi-space-size=12 --max-old-space-size=216'

async function measure(nodeOptions: string, rows: number): Promise<number> {
  await client.query(`TRUNCATE ${users.table}, stepwright_chunk_ledger`)
  process.env['NODE_OPTIONS'] = nodeOptions
  const peak = await peakRssMb(script, [server.url, String(rows)])
  const { rows: stored } = await client.query(`SELECT count(*)::int AS count FROM ${users.table}`)
  if (stored[0].count !== rows) throw new Error(`${stored[0].count} rows were written, not ${rows}`)
  console.log(`${rows.toLocaleString('en')} rows: ${peak.toFixed(0)} MB ${nodeOptions && '(as in Lambda)'}`)
  return peak
}

await measure('', 1_000_000)
const peaks: number[] = []
for (const rows of [100_000, 1_000_000, 2_000_000]) peaks.push(await measure(asInLambda, rows))
await client.end()
await rm(directory, { recursive: true })
figure('writer.rss_mb', Math.max(...peaks), { atMost: 150 })
