/** How the time of imports grows, for `docs/scaling.md`: `node apps/campaign-import/bench/scaling.ts`. Minutes. */
import { printGrowth } from '@stepwright/bench'
import { openImporting } from './importing.ts'
import { recipientsCsv } from './recipients-csv.ts'

await using importing = await openImporting()
const { pool } = importing
const uploads = new Map(
  await Promise.all(
    [10_000, 100_000, 1_000_000, 5_000_000].map(
      async rows => [rows, await importing.upload(await recipientsCsv(rows))] as const,
    ),
  ),
)

async function importAtOnce(rows: number, executions: number): Promise<void> {
  const upload = uploads.get(rows)
  if (upload === undefined) throw new Error(`there is no file of ${rows} rows`)
  const campaigns: string[] = []
  for (let index = 0; index < executions; index += 1) campaigns.push(await importing.campaign())
  const totals = await Promise.all(campaigns.map(id => importing.execute('import', id, upload)))
  if (totals.some(total => total !== rows)) throw new Error(`not all imports have ${rows} recipients`)
}

await importAtOnce(10_000, 1) // connections, and code that is not yet compiled
await printGrowth(
  [
    { rows: 10_000, executions: 1 },
    { rows: 100_000, executions: 1 },
    { rows: 1_000_000, executions: 1 },
    { rows: 5_000_000, executions: 1 },
    { rows: 10_000, executions: 10 },
    { rows: 10_000, executions: 100 },
  ],
  async ({ rows, executions }) => {
    await pool.query('truncate notification_recipients, stepwright_chunk_ledger')
    await importAtOnce(rows, executions)
  },
)
