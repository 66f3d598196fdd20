import { setTimeout as pause } from 'node:timers/promises'
import { chaosRounds } from '@stepwright/bench/chaos'
import pg from 'pg'
import { expect, it } from 'vitest'
import { app } from './app.ts'
import { goal } from './test/memory-world.ts'
import { startGenerations, userOf } from './test/running-app.ts'

// Ten workers, as Lambda reserves them, and 200 jobs of 20 users, of which some are cancelled and some workers hang:
// no job fails because a worker that should have been free was not. `pnpm chaos` makes it large.

const isLarge = chaosRounds(1) > 1
const [users, jobsPerUser, workers] = isLarge ? [20, 10, 10] : [5, 4, 2]

it('serves all users, and fails no job for lack of a slot', { timeout: 600_000 }, async () => {
  const { AIGenerationWorker: worker, ...others } = app.functions
  const functions = { ...others, AIGenerationWorker: { ...worker, concurrency: workers } }
  const script = { latencyMs: 50, latencies: [{ text: 'cancelled', ms: 600_000 }] }
  const environment = { MAX_WORKERS: String(workers), PARALLEL_CALLS: '1' }
  await using running = await startGenerations(script, { environment }, { ...app, functions } as typeof app)
  const database = new pg.Pool({ connectionString: running.services.postgres.url, max: 1 })
  database.on('error', () => {})
  let calls = 0
  // Every tenth worker hangs for three seconds before it begins, and then goes on as if nothing were.
  running.intercept('AIGenerationWorker', async call => {
    calls += 1
    if (calls % 10 === 0) await pause(3000)
    return call()
  })

  async function use(user: string, at: number): Promise<readonly string[]> {
    const client = userOf(running, user)
    const ids: string[] = []
    for (let job = 0; job < jobsPerUser; job += 1) {
      const isCancelled = (at + job) % 5 === 0
      const text = isCancelled ? `cancelled ${job}` : `${goal} ${job}`
      const { data, status } = await client.generate('SUBGOAL_GENERATION', { goal: text })
      expect(status).toBe(202)
      if (isCancelled) {
        await pause(20 * job)
        await client.call('POST', `/cancel/${data.processId}`)
      } else ids.push(data.processId)
    }
    return ids
  }
  const names = Array.from({ length: users }, (_, at) => `user-${at}`)
  const started = await Promise.all(names.map(use))
  await Promise.all(started.flatMap((ids, at) => ids.map(id => userOf(running, String(names[at])).ended(id))))
  const { rows } = await database.query(
    `select status, error->>'code' as code, count(*)::int from processing_state group by 1, 2`,
  )
  await database.end()
  const statuses = rows.map(({ status }) => status).toSorted()
  expect({ rows, statuses }).toMatchObject({ statuses: ['CANCELLED', 'COMPLETED'] })
})
