import { readFile } from 'node:fs/promises'
import { figure, median } from '@stepwright/bench'
import { startWorld } from '../src/test/running-world.ts'
import { toExpectedActivity, toUserLog } from '../src/test/user-log.ts'

const rowCount = 100_000
const sample = 500
const documentRowsAMinute = 200

const deployed = await readFile(
  new URL('../csv-parallel-processing-workflow.asl.json', import.meta.url),
  'utf8',
)
/** The same workflow, with one row a chunk and one chunk an execution. */
const single = deployed
  .replace('"rowsPerChunk": 250', '"rowsPerChunk": 1')
  .replace('"MaxItemsPerBatch": 2', '"MaxItemsPerBatch": 1')
if (single.length !== deployed.length - 2) throw new Error('the workflow has other sizes than expected here')

/** Milliseconds from the object to the end of its execution. */
async function measure(definition: string, rows: number): Promise<number> {
  await using world = await startWorld({ definitions: { process: JSON.parse(definition) } })
  const log = { rows, users: rows }
  // The first execution pays for connections and code that is not yet compiled.
  await world.process('data/warm.csv', toUserLog({ rows: 50 }))
  await world.pool.query('truncate user_contribution')
  const body = toUserLog(log)
  const started = performance.now()
  const { status } = await world.process('data/measured.csv', body)
  const elapsedMs = performance.now() - started
  const [found, expected] = [await world.activity(), toExpectedActivity(log)]
  const isSame = JSON.stringify([...found].sort()) === JSON.stringify([...expected].sort())
  if (status !== 'SUCCEEDED' || !isSame) throw new Error(`${status}: the table is not what it should be`)
  return elapsedMs
}

function rate(rows: number, elapsedMs: number): number {
  return (rows / elapsedMs) * 60_000
}
const before = await measure(single, sample)
const batchedMs = await measure(deployed, rowCount)
const after = await measure(single, sample)

const batched = rate(rowCount, batchedMs)
const one = rate(sample, median([before, after]))
function line(what: string, rows: number, value: number): void {
  console.log(
    `${what.padEnd(28)} ${String(rows).padStart(7)} rows ${Math.round(value).toLocaleString('en')} rows/min`,
  )
}
line('batched', rowCount, batched)
line('one row an item', sample, one)
console.log(`the document's throughput${' '.repeat(16)} ${documentRowsAMinute} rows/min`)
figure('csv_processor.batched.vs_single', batched / one, { atLeast: 5 })
