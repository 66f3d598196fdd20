import { setTimeout as wait } from 'node:timers/promises'
import { randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import { startPostgres } from '@stepwright/local-postgres'
import { testDatabase } from '@stepwright/local-postgres/vitest'
import { afterAll, describe, expect, it } from 'vitest'
import type { Job } from './job.ts'
import type { ChangeOutcome, JobStore } from './job-store.ts'
import { createPostgresJobStore } from './postgres.ts'
import { openJobTables } from './test/job-tables.ts'
import { trackJob } from './track-job.ts'

const { url } = await testDatabase()
const tables = openJobTables(url)
afterAll(() => tables.db.destroy())

const newJob = { userId: 'u', type: 'T', targetId: null, params: null, retryCount: 0 }
const rounds = chaosRounds(5)

interface Witness {
  readonly begun: number[]
  /** Per attempt, what its worker saw of its own progress, in order. */
  readonly seen: Map<number, number[]>
  readonly ends: Job[]
}

describe('jobs that many workers fight over', () => {
  async function worker(jobs: JobStore, id: string, random: () => number, witness: Witness): Promise<void> {
    const begun = await jobs.begin(id, { silentForMs: 0 })
    if (!begun.applied || !begun.job) return
    const { attempt } = begun.job
    witness.begun.push(attempt)
    const seen: number[] = []
    witness.seen.set(attempt, seen)
    for (let beat = Math.floor(random() * 6); beat > 0; beat -= 1) {
      const { applied, job } = await jobs.beat(id, attempt, Math.floor(random() * 120))
      if (!applied || !job) break
      expect(job.attempt).toBe(attempt)
      seen.push(job.progress)
    }
    // Some die here; some report an end although they were told to stop.
    if (random() < 0.5) return
    const status = random() < 0.5 ? 'COMPLETED' : 'FAILED'
    noteEnd(await jobs.end(id, { status, attempt, result: attempt }), witness)
  }

  function noteEnd({ applied, job }: ChangeOutcome, { ends }: Witness): void {
    if (applied && job) ends.push(job)
  }

  it('have one end, one worker at a time, and progress that never goes back', async () => {
    const random = randomFrom(rounds)
    const jobs = createPostgresJobStore({ pool: tables.pool, tableName: await tables.create() })
    for (let round = 0; round < rounds * 10; round += 1) {
      const id = `job-${round}`
      await jobs.insert({ id, ...newJob })
      const witness: Witness = { begun: [], seen: new Map(), ends: [] }
      const cancel = async (): Promise<void> => {
        if (random() < 0.5) noteEnd(await jobs.end(id, { status: 'CANCELLED' }), witness)
      }
      await Promise.all([
        ...Array.from({ length: 6 }, () => worker(jobs, id, random, witness)),
        cancel(),
        cancel(),
      ])
      const last = (await jobs.find(id)) as Job
      expect(witness.begun.toSorted((a, b) => a - b)).toEqual(witness.begun.map((_, index) => index + 1))
      for (const seen of witness.seen.values()) expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      expect(witness.ends.length).toBeLessThanOrEqual(1)
      if (witness.ends[0]) expect(last).toEqual(witness.ends[0])
      expect(last.attempt).toBe(witness.begun.length)
      if (last.result !== null) expect(last.result).toBe(last.attempt)
      expect(last.progress === 100).toBe(last.status === 'COMPLETED')
    }
  })
})

describe('a worker whose database restarts', () => {
  it('works on, and its progress arrives afterwards', { timeout: 120_000 }, async () => {
    await using server = await startPostgres({ databaseUrl: '' })
    const own = openJobTables(server.url)
    const jobs = createPostgresJobStore({ pool: own.pool, tableName: await own.create() })
    const errors: unknown[] = []
    const stored = async (progress: number): Promise<void> => {
      for (let job: Job | undefined; job?.progress !== progress; await wait(20)) {
        job = await jobs.find('j').catch(() => undefined)
      }
    }
    await jobs.insert({ id: 'j', ...newJob })
    await jobs.begin('j', { silentForMs: 0 })
    const result = await trackJob(
      {
        jobs,
        jobId: 'j',
        attempt: 1,
        intervalMs: 10,
        heartbeatMs: 10,
        onWriteError: error => errors.push(error),
      },
      async ({ report, signal }) => {
        report(10)
        await stored(10)
        await server.kill()
        report(60)
        while (errors.length === 0) await wait(20)
        await server.restart()
        await stored(60)
        return signal.aborted
      },
    )
    expect(result).toBe(false)
    await own.db.destroy()
  })
})
