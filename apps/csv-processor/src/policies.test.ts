import { createWithholding } from '@stepwright/local-cloud'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { app } from './app.ts'
import { type RunningWorld, startWorld } from './test/running-world.ts'
import { toUserLog } from './test/user-log.ts'

const timeout = 120_000
const { statements, statementsOf, withhold, withoutRetries } = createWithholding(app)

let world: RunningWorld
beforeAll(async () => {
  world = await startWorld({
    enforcePolicies: statementsOf,
    definitions: { process: withoutRetries('process') },
  })
}, timeout)
afterAll(() => world[Symbol.asyncDispose](), timeout)

/** A file is reflected, and one that has gone meanwhile is reported as gone, in its trail too. */
async function works(key: string): Promise<boolean> {
  const started = Promise.withResolvers<unknown>()
  world.running.intercept('StartProcessing', async (call, event) => {
    const answer = call()
    answer.then(() => started.resolve(event), started.reject)
    return answer
  })
  const end = world.running.ended('process')
  await world.put(`data/${key}.csv`, toUserLog({ rows: 600, bad: [7] }))
  try {
    const event = JSON.stringify(await started.promise)
    if ((await end).status !== 'SUCCEEDED') return false
    await world.running.start(
      'process',
      JSON.parse(event.replaceAll(`${key}.csv`, 'gone.csv')),
      `${key}-gone`,
    )
    const { error } = await world.running.ended('process', `${key}-gone`)
    const trail = await world.audit.verify(`${key}-gone`)
    return error === 'ValidationError' && trail.ok && trail.entries === 1
  } catch {
    return false
  }
}

it('reflects a file with exactly what its roles are allowed', { timeout }, async () => {
  withhold()
  expect(await works('all')).toBe(true)
  expect(statements.length).toBeGreaterThan(8)
})

it.each(statements)('fails when %s is not allowed: %s', { timeout }, async (role, sid) => {
  withhold(role, sid)
  expect(await works(`${role}-${sid}`)).toBe(false)
})
