import { figure, functionRssMb, median } from '@stepwright/bench'
import { type RunningWorld, startWorld } from '../src/test/running-world.ts'
import { toUserLog } from '../src/test/user-log.ts'

const [small, large] = [100_000, 1_000_000]

interface Measured {
  readonly rowsPerSecond: number
  readonly verifiedPerSecond: number
  readonly rssMb: number
}

/** From the object to the end of its execution, then the proof of its trail; in a world of its own. */
async function measure(rows: number): Promise<Measured> {
  await using world = await startWorld()
  // The first execution pays for connections and code that is not yet compiled.
  await world.process('data/warm.csv', toUserLog({ rows: 50 }))
  await world.pool.query('truncate user_contribution')
  const body = toUserLog({ rows })
  const started = performance.now()
  const { status, name } = await world.process('data/measured.csv', body)
  const workflowMs = performance.now() - started
  const rssMb = await functionRssMb()
  const { sum, users } = await readTable(world)
  const isRight = status === 'SUCCEEDED' && users === rows && sum === expectedSum(rows)
  if (!isRight) throw new Error(`${status}: the table is not what it should be`)
  const verifyStarted = performance.now()
  const verified = await world.audit.verify(name)
  const verifyMs = performance.now() - verifyStarted
  if (!verified.ok || verified.entries !== rows) throw new Error('the trail is not what it should be')
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
  console.log(
    `${rows.toLocaleString('en').padStart(9)} rows: workflow ${seconds(workflowMs)}, verify ${seconds(verifyMs)}, worker ${Math.round(rssMb)} MB`,
  )
  return { rowsPerSecond: (rows / workflowMs) * 1000, verifiedPerSecond: (rows / verifyMs) * 1000, rssMb }
}

async function readTable({ pool }: RunningWorld): Promise<{ users: number; sum: number }> {
  const { rows } = await pool.query(
    'select count(*)::int as users, sum(login_count * 1000 + post_count)::float8 as sum from user_activity',
  )
  return rows[0]
}

function expectedSum(rows: number): number {
  let sum = 0
  for (let row = 1; row <= rows; row += 1) sum += (row % 7) * 1000 + (row % 13)
  return sum
}

const before = await measure(small)
const measured = await measure(large)
const after = await measure(small)
function of(what: keyof Measured): number {
  return measured[what] / median([before, after].map(one => one[what]))
}
figure('csv_processor.1m.rows_per_s.vs_100k', of('rowsPerSecond'), { atLeast: 0.8 })
figure('csv_processor.1m.verified_per_s.vs_100k', of('verifiedPerSecond'), { atLeast: 0.8 })
figure('csv_processor.1m.rss.vs_100k', of('rssMb'), { atMost: 1.15 })
figure('csv_processor.1m.rss_mb', measured.rssMb, { atMost: 150 })
