import type { ExecutionEnd } from '@stepwright/local-cloud'
import { expect } from 'vitest'
import type { RunningWorld } from './running-world.ts'
import { toExpectedActivity, type UserLogOptions } from './user-log.ts'

/** Table, verified trail and summary say the same of every row. */
export async function expectAgreement(
  world: RunningWorld,
  { name }: Pick<ExecutionEnd, 'name'>,
  log: UserLogOptions,
): Promise<void> {
  expect(await world.activity()).toEqual(toExpectedActivity(log))
  await expectTrail(world, { name }, log)
}

/** Verified trail and summary say the same of every row, whether readers see it or not. */
export async function expectTrail(
  world: RunningWorld,
  { name }: Pick<ExecutionEnd, 'name'>,
  log: UserLogOptions,
): Promise<void> {
  const bad = new Set(log.bad)
  const rows = (await world.entries(name)).filter(({ itemIndex }) => itemIndex > 0)
  expect(rows).toHaveLength(log.rows)
  const wrong = rows.filter(({ itemIndex, logType }, at) => {
    return itemIndex !== at + 1 || logType !== (bad.has(itemIndex) ? 'BUSINESS_ERROR' : 'SUCCESS')
  })
  expect(wrong).toEqual([])
  expect(await world.audit.verify(name)).toMatchObject({ ok: true, late: 0 })

  const summary = JSON.parse(await world.readOutput(`results/${name}/summary.json`))
  expect(summary).toMatchObject({
    totalRecords: log.rows,
    successCount: log.rows - bad.size,
    errorCount: bad.size,
    rejectedKey: bad.size === 0 ? null : `results/${name}/rejected.csv`,
  })
  if (bad.size === 0) return
  const rejected = (await world.readOutput(`results/${name}/rejected.csv`)).trimEnd().split('\r\n').slice(1)
  const numbers = rejected.map(line => Number(/row (\d+): DataValidationError/.exec(line)?.[1]))
  expect(numbers).toEqual([...bad])
}
