/** Does a file that is 25 times as large take 25 times as long? */
import { compare, figure } from '@stepwright/bench'
import { openImporting } from './importing.ts'
import { recipientsCsv } from './recipients-csv.ts'

const [few, many] = [200_000, 5_000_000]

await using importing = await openImporting()
const small = await importing.upload(await recipientsCsv(few))
const large = await importing.upload(await recipientsCsv(many))

/** Several small imports between the large ones, so that both see the machine in the same moods. */
const times = await compare(
  `imports of ${few} and of ${many} recipients`,
  {
    async few() {
      const total = await importing.execute('import', await importing.campaign(), small)
      if (total !== few) throw new Error(`${total} recipients, not ${few}`)
    },
    async many() {
      const total = await importing.execute('import', await importing.campaign(), large)
      if (total !== many) throw new Error(`${total} recipients, not ${many}`)
    },
  },
  {
    rounds: 3,
    before: async () => {
      await importing.pool.query('truncate notification_recipients, stepwright_chunk_ledger')
      await importing.pool.query('checkpoint')
    },
  },
)
const rate = { few: few / times.few.medianMs, many: many / times.many.medianMs }
figure('campaign.5m.rows_per_s.vs_200k', rate.many / rate.few, { atLeast: 0.8 })
