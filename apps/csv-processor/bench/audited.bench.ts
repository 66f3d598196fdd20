import { compare, figure } from '@stepwright/bench'
import { startWorld } from '../src/test/running-world.ts'
import { toUserLog } from '../src/test/user-log.ts'

const rows = 200_000

await using world = await startWorld()
let isAudited = true
world.running.intercept('CsvProcessor', async (call, event) => {
  const { eventType } = event as { eventType: string }
  if (isAudited) return call()
  // Nothing is recorded, and nothing sealed; nor does anybody add up what became of the rows.
  if (eventType === 'AUDIT_LOGGING') return { recorded: 0 }
  return eventType === 'RESULT_AGGREGATION' ? aggregation : call()
})
world.running.intercept('SealTrail', async call => {
  const seal = { mac: '', entries: 0, writers: 0, sealedAt: '2024-08-02T12:34:56.000Z' }
  return isAudited ? call() : seal
})
const aggregation = {
  ...{ successCount: rows, errorCount: 0, processingTimeSeconds: 0, outputBucket: '', outputKey: '' },
  summary: { totalRecords: rows, errors: {}, rejectedKey: null },
}
let files = 0

async function process(audited: boolean, body: string, count = rows): Promise<number> {
  isAudited = audited
  files += 1
  const { status, name } = await world.process(`data/measured-${files}.csv`, body)
  const { rows: found } = await world.pool.query('select count(*)::int as users from user_activity')
  if (status !== 'SUCCEEDED') throw new Error(`${name} has ${status}`)
  if (audited) audits.push(name)
  return found[0].users === count ? count : Number.NaN
}
const audits: string[] = []

await process(true, toUserLog({ rows: 50 }), 50)
await world.pool.query('truncate user_contribution')
const body = toUserLog({ rows })
const times = await compare(
  `reflect ${rows} rows`,
  { audited: () => process(true, body), unaudited: () => process(false, body) },
  { rounds: 5, warmups: 2, before: () => world.pool.query('truncate user_contribution') },
)
for (const name of audits.slice(1)) {
  const verified = await world.audit.verify(name)
  if (!verified.ok || verified.entries !== rows) throw new Error(`the trail of ${name} is not whole`)
}
figure('csv_processor.audited.vs_unaudited', times.unaudited.medianMs / times.audited.medianMs, {
  atLeast: 0.5,
})
