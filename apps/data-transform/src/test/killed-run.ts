import { expect } from 'vitest'
import { collectKeys } from './collect-keys.ts'
import type { RunningTransform } from './running-transform.ts'

type Killed = Parameters<RunningTransform['running']['kill']>[0]

/** Runs a partition of 1,000 rows, killing a state's process once or each time, and then again without. */
export async function expectSameAfterKill(
  world: RunningTransform,
  { table_name, killed, forGood }: { table_name: string; killed: Killed; forGood: boolean },
): Promise<void> {
  const ds = '2025-09-07'
  const table = { domain: 'shop', table_name, ds }
  await world.raw.put(`shop/${table_name}/ds=${ds}/a.csv`, `id,v\n${'1,x\n'.repeat(1000)}`)
  let kills = 0
  world.running.intercept(killed, call => {
    const work = call()
    if (!forGood && kills > 0) return work
    kills += 1
    setTimeout(() => world.running.kill(killed), Math.random() * 30)
    return work
  })
  const { status } = await world.run(table)
  world.running.intercept(killed)
  expect(kills).toBeGreaterThan(0)
  if (!forGood) expect(status).toBe('SUCCEEDED')

  const { stats, partitions } = await world.succeed(table)
  expect([stats.rowCount, stats.fileCount, partitions]).toEqual([1000, 1, [`ds=${ds}`]])
  const [file] = (await world.manifest(table))?.files ?? []
  expect((await world.curated.head(file?.key ?? '')).size).toBe(stats.bytesWritten)
  expect(await world.rows(table)).toHaveLength(1000)
  const keys = await collectKeys(world.curated, `shop/${table_name}/runs/`)
  expect(keys.filter(key => key.endsWith('.parquet'))).toEqual([file?.key])
}
