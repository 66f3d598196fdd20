/** The memory of the largest process that runs functions, for an import of 200,000 rows and of five times as many. */
import { figure, functionRssMb } from '@stepwright/bench'
import { openImporting } from './importing.ts'
import { recipientsCsv } from './recipients-csv.ts'

async function rssOf(rows: number): Promise<number> {
  await using importing = await openImporting()
  const upload = await importing.upload(await recipientsCsv(rows))
  const total = await importing.execute('import', await importing.campaign(), upload)
  if (total !== rows) throw new Error(`${total} recipients, not ${rows}`)
  const rssMb = await functionRssMb()
  console.log(`${rows} rows: ${Math.round(rssMb)} MB`)
  return rssMb
}

const few = await rssOf(200_000)
figure('campaign.functions_rss.1m.vs_200k', (await rssOf(1_000_000)) / few, { atMost: 1.15 })
