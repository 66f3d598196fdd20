import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { app } from './app.ts'
import { goal } from './test/memory-world.ts'
import { holdWorker, type RunningGenerations, startGenerations, userOf } from './test/running-app.ts'

// Lambda runs two workers, and refuses a third: the app must not start more jobs than that.

const { AIGenerationWorker: worker, ...others } = app.functions
const declared = { ...app, functions: { ...others, AIGenerationWorker: { ...worker, concurrency: 2 } } }
let running: RunningGenerations
let database: pg.Pool
beforeAll(async () => {
  const script = { latencies: [{ text: 'endless', ms: 600_000 }] }
  const environment = { MAX_WORKERS: '2', MAX_OPEN_JOBS: '6', PARALLEL_CALLS: '1' }
  running = await startGenerations(script, { environment }, declared as typeof app)
  database = new pg.Pool({ connectionString: running.services.postgres.url, max: 1 })
  database.on('error', () => {})
}, 60_000)
afterAll(async () => {
  await database?.end()
  await running?.stop()
}, 60_000)

async function start(user: string, text = goal): Promise<string> {
  const { data } = await userOf(running, user).generate('SUBGOAL_GENERATION', { goal: text })
  return data.processId
}

/** Workers of earlier tests stop first. */
async function countWorkers(): Promise<number> {
  const { rows } = await database.query(
    'select count(*)::int from processing_state where worker_until is not null',
  )
  return rows[0].count
}

describe('slots of workers', { timeout: 60_000 }, () => {
  it('are occupied by workers of cancelled jobs until they have stopped: no job fails for lack of one', async () => {
    const endless = await Promise.all([start('ann', 'endless 1'), start('ann', 'endless 2')])
    const ann = userOf(running, 'ann')
    for (const id of endless) {
      await expect.poll(async () => (await ann.status(id)).data.status).toBe('PROCESSING')
    }
    const users = ['bob', 'carol', 'dave', 'eve']
    const waiting = await Promise.all(users.map(user => start(user)))
    for (const id of endless) await ann.call('POST', `/cancel/${id}`)
    const ended = await Promise.all(waiting.map((id, at) => userOf(running, String(users[at])).ended(id)))
    expect(ended.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED'])
  })

  it('are given to users in turn', async () => {
    await expect.poll(countWorkers).toBe(0)
    const held = holdWorker(running)
    const greedy: string[] = []
    for (const _ of [1, 2, 3, 4, 5]) greedy.push(await start('greedy'))
    const ann = await start('ann')
    const bob = await start('bob')
    await held.called
    expect(await userOf(running, 'ann').status(ann)).toMatchObject({ data: { position: 1 } })
    expect(await userOf(running, 'greedy').status(String(greedy[4]))).toMatchObject({ data: { position: 5 } })
    held.release()
    await Promise.all([
      userOf(running, 'ann').ended(ann),
      userOf(running, 'bob').ended(bob),
      ...greedy.map(id => userOf(running, 'greedy').ended(id)),
    ])
    const { rows } = await database.query(
      `select id from processing_state where id = any($1) order by started_at`,
      [[...greedy, ann, bob]],
    )
    const order = rows.map(({ id }) => id)
    expect(order.slice(0, 2).toSorted()).toEqual(greedy.slice(0, 2).toSorted())
    expect(order.slice(2, 4).toSorted()).toEqual([ann, bob].toSorted())
  })

  it('cannot be queued for without limit: 429, with what to do', async () => {
    const held = holdWorker(running)
    const user = userOf(running, 'flood')
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, at) => user.generate('SUBGOAL_GENERATION', { goal: `flood ${at}` })),
    )
    held.release()
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      202, 202, 202, 202, 202, 202, 429, 429, 429,
    ])
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      title: 'TooManyJobsError',
      detail: expect.stringContaining('wait for one, or cancel one'),
    })
    const accepted = answers.filter(({ status }) => status === 202)
    await Promise.all(accepted.map(({ data }) => user.ended(data.processId)))
  })
})
