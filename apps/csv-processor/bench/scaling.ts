/** How the time of the workflow grows, for `docs/scaling.md`: `node apps/csv-processor/bench/scaling.ts`. Minutes. */
import { setTimeout as wait } from 'node:timers/promises'
import { printGrowth } from '@stepwright/bench'
import { startWorld } from '../src/test/running-world.ts'
import { toUserLog } from '../src/test/user-log.ts'

await using world = await startWorld()
let files = 0

async function processAtOnce(body: string, executions: number): Promise<void> {
  const before = new Set(world.started)
  await Promise.all(
    Array.from({ length: executions }, () => {
      files += 1
      return world.put(`data/scaling-${files}.csv`, body)
    }),
  )
  while (world.started.size < before.size + executions) await wait(20)
  const names = [...world.started].filter(name => !before.has(name))
  const ends = await Promise.all(names.map(name => world.running.ended('process', name)))
  const failed = ends.find(({ status }) => status !== 'SUCCEEDED')
  if (failed) throw new Error(`${failed.name} has ${failed.status}`)
}

await processAtOnce(toUserLog({ rows: 50 }), 1) // connections, and code that is not yet compiled
const bodies = new Map([10_000, 100_000, 1_000_000, 10_000_000].map(rows => [rows, toUserLog({ rows })]))
await printGrowth(
  [
    { rows: 10_000, executions: 1 },
    { rows: 100_000, executions: 1 },
    { rows: 1_000_000, executions: 1 },
    { rows: 10_000_000, executions: 1 },
    { rows: 10_000, executions: 10 },
    { rows: 10_000, executions: 100 },
  ],
  async ({ rows, executions }) => {
    await world.pool.query('truncate user_contribution')
    await processAtOnce(bodies.get(rows) ?? '', executions)
  },
)
