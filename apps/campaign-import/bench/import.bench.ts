import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertPsql, compare, figure, psql } from '@stepwright/bench'
import { openImporting } from './importing.ts'
import { recipientsCsv } from './recipients-csv.ts'

const rowCount = 200_000

assertPsql()
await using importing = await openImporting()
const { cloud, databaseUrl, pool } = importing
await cloud.invoke('NaiveCreateTables', {})
const upload = await importing.upload(await recipientsCsv(rowCount))
const directory = await mkdtemp(join(tmpdir(), 'campaign-copy-'))
const copies = await finishedRows()

/** What an import has written, in five files as `COPY` gives and takes them. */
async function finishedRows(): Promise<string[]> {
  const campaign = await importing.campaign()
  await importing.execute('import', campaign, upload)
  await pool.query(`update notification_campaigns set status = '取込中' where campaign_id = $1`, [campaign])
  return Promise.all(
    [0, 1, 2, 3, 4].map(async fifth => {
      const file = join(directory, `${fifth}.tsv`)
      // In the order of the CSV, as the chunks have them: the number after the second dot is the row's.
      const rows = `select * from notification_recipients
        where split_part(split_part(email, '@', 1), '.', 3)::int / ${rowCount / 5} = ${fifth}
        order by split_part(split_part(email, '@', 1), '.', 3)::int`
      await psql(databaseUrl, `\\copy (${rows.replaceAll(/\s+/g, ' ')}) to '${file}'\n`)
      return file
    }),
  )
}

const times = await compare(
  `import of ${rowCount} recipients: the uploaded object to committed rows, all states`,
  {
    ours: async () => importing.execute('import', await importing.campaign(), upload),
    async naive() {
      const campaign = randomUUID()
      await pool.query(`insert into naive_campaigns (campaign_id, status) values ($1, '取込中')`, [campaign])
      return importing.execute('naive', campaign, upload)
    },
    async 'five psql \\copy of finished rows'() {
      const counts = await Promise.all(
        copies.map(file => psql(databaseUrl, `\\copy notification_recipients from '${file}'\n`)),
      )
      return counts.reduce((sum, count) => sum + count, 0)
    },
  },
  {
    rounds: 5,
    before: async () => {
      await pool.query('truncate notification_recipients, naive_recipients, stepwright_chunk_ledger')
      await pool.query('checkpoint')
    },
  },
)
const seconds = times.ours.medianMs / 1000
console.log(
  `  ${seconds.toFixed(2)} s, ${Math.round(rowCount / seconds)} rows/s; the design estimates 24 to 33 s`,
)
figure('campaign.vs_naive', times.naive.medianMs / times.ours.medianMs, { atLeast: 3 })
figure('campaign.vs_copy5', times['five psql \\copy of finished rows'].medianMs / times.ours.medianMs, {
  atLeast: 0.8,
})
await rm(directory, { recursive: true })
