import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import pg from 'pg'
import { expect, it } from 'vitest'
import type { ProcessView } from '../web/client.ts'
import { createWorld, paramsOf } from './test/memory-world.ts'
import { type RunningGenerations, startGenerations, userOf } from './test/running-app.ts'

const count = chaosRounds(8)
/** A restart of everything takes its time. */
const withRestart = count > 100
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)
const finals = ['COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED']
const types = ['SUBGOAL_GENERATION', 'ACTION_GENERATION', 'TASK_GENERATION'] as const
const script = {
  latencyMs: 4,
  failures: {
    ThrottlingException: 0.01,
    ServiceUnavailableException: 0.005,
    NetworkError: 0.005,
    GenerationRefusedError: 0.003,
  },
}

interface Followed {
  readonly id: string
  readonly user: string
  readonly type: (typeof types)[number]
  progress: number
  readonly finals: Set<string>
}

it(`ends each of ${count} jobs once, whatever is killed and restarted (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'stepwright-generations-'))
  await chmod(dataDirectory, 0o755) // as root, PostgreSQL runs as another user
  const random = randomFrom(seed)
  const start = () =>
    startGenerations(script, { dataDirectory, environment: { MAX_WORKERS: '10', MAX_OPEN_JOBS: '1000' } })
  let running: RunningGenerations = await start()
  const jobs = new Map<string, Followed>()
  let isOver = false

  /** Whatever fails on the way is asked again: functions are killed, and the database is away at times. */
  async function insist<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask()
      } catch {
        await pause(50)
      }
    }
  }
  async function call(user: string, method: string, path: string, body?: unknown, headers?: object) {
    return insist(async () => {
      const answer = await userOf(running, user).call(method, path, body, headers)
      if (answer.status >= 500 || answer.status === 401) throw new Error(String(answer.status))
      return answer
    })
  }

  function add(user: string, { processId, type }: ProcessView): void {
    if (!jobs.has(processId)) {
      jobs.set(processId, {
        id: processId,
        user,
        type: type as Followed['type'],
        progress: 0,
        finals: new Set(),
      })
    }
  }

  /** What a client sees must never go back. */
  function see(job: Followed, { status, progress }: Pick<ProcessView, 'status' | 'progress'>): void {
    expect([job.id, progress >= job.progress]).toEqual([job.id, true])
    job.progress = progress
    if (finals.includes(status)) job.finals.add(status)
    expect(job.finals.size, job.id).toBeLessThanOrEqual(1)
  }

  async function stream(job: Followed): Promise<void> {
    let lastEventId = ''
    let progress = 0
    while (!isOver) {
      try {
        for await (const { id, event, data } of userOf(running, job.user).events(job.id, { lastEventId })) {
          lastEventId = id
          expect(Number(data['progress'])).toBeGreaterThanOrEqual(progress)
          progress = Number(data['progress'])
          if (event === 'status' && finals.includes(String(data['status']))) return
        }
      } catch (error) {
        if ((error as Error).name === 'AssertionError') throw error
        await pause(50)
      }
    }
  }

  async function submit(index: number): Promise<void> {
    const user = `user-${index % 20}`
    const type = types[random() < 0.1 ? 2 : random() < 0.5 ? 1 : 0] as Followed['type']
    const body = { type, params: paramsOf[type] }
    const headers = { 'idempotency-key': `key-${index}` }
    const { data, status } = await call(user, 'POST', '/generate', body, headers)
    expect(status).toBe(202)
    add(user, data)
  }

  function anyJob(): Followed | undefined {
    return [...jobs.values()][Math.floor(random() * jobs.size)]
  }

  const disturb: readonly (() => Promise<void>)[] = [
    async () => void running.kill('AIGenerationWorker'),
    async () => running.services.postgres.restart(),
    async () => {
      const job = anyJob()
      if (job) await call(job.user, 'POST', `/cancel/${job.id}`)
    },
    async () => {
      const job = anyJob()
      const retried = job && (await call(job.user, 'POST', `/retry/${job.id}`))
      if (job && retried?.status === 202) add(job.user, retried.data)
    },
    async () => {
      const job = anyJob()
      if (job === undefined) return
      for (const [method, path] of [
        ['GET', '/status/'],
        ['POST', '/cancel/'],
        ['POST', '/retry/'],
      ] as const) {
        const [theirs, missing] = await Promise.all(
          [job.id, '00000000-0000-4000-8000-000000000000'].map(async id => {
            const { headers: _, ...answer } = await call('stranger', method, `${path}${id}`)
            return JSON.stringify(answer).replaceAll(id, '')
          }),
        )
        expect(theirs).toBe(missing)
      }
    },
  ]

  let disturbance: Promise<void> = Promise.resolve()
  /** A database cannot be restarted while everything is. */
  function oneByOne(work: () => Promise<void>): Promise<void> {
    disturbance = disturbance.then(work)
    return disturbance
  }
  async function keepDisturbing(times: number): Promise<void> {
    for (let turn = 0; turn < times && !isOver; turn += 1) {
      await pause(50 + random() * 250)
      await oneByOne(async () => disturb[turn % disturb.length]?.())
    }
  }

  async function watch(): Promise<void> {
    while (!isOver) {
      const job = anyJob()
      if (job) see(job, (await call(job.user, 'GET', `/status/${job.id}`)).data)
      await pause(count > 100 ? 2 : 20)
    }
  }

  /** What schedules would do in the course of minutes: a launch that was lost is done again, a dead job is ended. */
  async function letTimePass(database: pg.Pool): Promise<number> {
    await database.query(
      `update processing_state set launched_at = launched_at - interval '61 seconds'
       where status = 'PENDING' and launched_at < now() - interval '3 seconds'`,
    )
    await insist(() => running.invoke('LaunchWaiting', {}))
    await insist(() => running.invoke('EndStuckJobs', { silentForSeconds: 15 }))
    const { rows } = await database.query(
      `select count(*) from processing_state where status in ('PENDING', 'PROCESSING')`,
    )
    return Number(rows[0]?.count)
  }

  try {
    const watching = [watch(), watch()]
    const disturbing = keepDisturbing(Math.ceil(count / 3))
    const indexes = Array.from({ length: count }, (_, index) => index).values()
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (const index of indexes) await submit(index)
      }),
    )
    const streaming = [...jobs.values()].slice(0, 50).map(stream)
    if (withRestart) {
      await pause(2000)
      await oneByOne(async () => {
        await running.stop()
        running = await start()
      })
    }
    await disturbing

    const database = new pg.Pool({ connectionString: running.services.postgres.url, max: 1 })
    database.on('error', () => {})
    while ((await insist(() => letTimePass(database))) > 0) await pause(500)
    await Promise.all(streaming)
    isOver = true
    await Promise.all(watching)

    const { rows: open } = await database.query(
      `select id from processing_state where status not in ('COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED')`,
    )
    expect(open).toEqual([])
    const expected = await expectedResults()
    const counts: Record<string, number> = {}
    for (const job of jobs.values()) {
      const { data } = await call(job.user, 'GET', `/status/${job.id}`)
      see(job, data)
      expect(job.finals.size).toBe(1)
      counts[data.status] = (counts[data.status] ?? 0) + 1
      if (data.status === 'COMPLETED') expect(data.result).toEqual(expected[job.type])
      else expect(data.result).toBeNull()
    }
    const { rows: stored } = await database.query(`select count(*) from processing_state`)
    expect(Number(stored[0]?.count)).toBe(jobs.size)
    expect(counts['COMPLETED']).toBeGreaterThan(0)
    await database.end()
  } finally {
    isOver = true
    await running.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  }
})

/** What each type comes to when nothing disturbs it. */
async function expectedResults(): Promise<Readonly<Record<string, unknown>>> {
  const world = createWorld()
  const results: Record<string, unknown> = {}
  for (const type of types) {
    const jobId = await world.addJob(type)
    const context = { signal: new AbortController().signal, now: Date.now }
    await world.tasks.UpdateProcessingState.run({ jobId, status: 'PROCESSING' }, context)
    world.engine.taskTokens.open('token', { succeed() {}, fail() {}, beat() {}, start() {} })
    await world.tasks.AIGenerationWorker.run({ jobId, attempt: 1, taskToken: 'token' }, context)
    await world.tasks.UpdateProcessingState.run({ jobId, status: 'COMPLETED' }, context)
    results[type] = (await world.jobs.find(jobId))?.result
  }
  return results
}
