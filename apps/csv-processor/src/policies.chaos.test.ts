import { readFile } from 'node:fs/promises'
import { chaosRounds } from '@stepwright/bench/chaos'
import type { AppRole, Statement } from '@stepwright/policy'
import { appPolicies, deployedPlaces } from '@stepwright/policy'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { app } from './app.ts'
import { type RunningWorld, startWorld } from './test/running-world.ts'
import { toUserLog } from './test/user-log.ts'

const timeout = 120_000
/** What services that do not run here would ask for. */
const elsewhere = /^(logs|xray):/

const roles = appPolicies(app, { places: deployedPlaces(app) })
const statements = roles.flatMap(({ name, document }) =>
  document.Statement.filter(({ Action }) => !elsewhere.test(Action[0] ?? '')).map(
    ({ Sid }) => [name, Sid] as const,
  ),
)

let withheld: readonly [role: string, sid: string] | undefined
const without = new Map<string, readonly Statement[]>()
function statementsOf({ name, document }: AppRole): readonly Statement[] {
  if (name !== withheld?.[0]) return document.Statement
  const key = withheld.join(' ')
  const left = without.get(key) ?? document.Statement.filter(({ Sid }) => Sid !== withheld?.[1])
  without.set(key, left)
  return left
}

/** The state machine without its retries, which would only take time. */
async function withoutRetries(): Promise<object> {
  const file = new URL(app.workflows?.process.definition ?? '', app.root)
  return JSON.parse(await readFile(file, 'utf8'), (key, value) => (key === 'Retry' ? undefined : value))
}

let world: RunningWorld
beforeAll(async () => {
  world = await startWorld({
    enforcePolicies: statementsOf,
    definitions: { process: await withoutRetries() },
  })
}, timeout)
afterAll(() => world[Symbol.asyncDispose](), timeout)

/** A file is reflected, and one that has gone meanwhile is reported as gone. */
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
    return error === 'ValidationError'
  } catch {
    return false
  }
}

it('reflects a file with exactly what its roles are allowed', { timeout }, async () => {
  withheld = undefined
  expect(await works('all')).toBe(true)
  expect(statements.length).toBeGreaterThan(8)
})

/** Each takes an execution: the usual tests try every third, `pnpm chaos` all of them. */
const tried = statements.filter((_, index) => chaosRounds(1) > 1 || index % 3 === 0)

it.each(tried)('fails when %s is not allowed: %s', { timeout }, async (role, sid) => {
  withheld = [role, sid]
  expect(await works(`${role}-${sid}`)).toBe(false)
})
