import { setTimeout as wait } from 'node:timers/promises'
import { chaosRounds } from '@stepwright/bench/chaos'
import { describe, expect, it, vi } from 'vitest'
import { expectAgreement } from './test/agreement.ts'
import { type RunningWorld, startWorld } from './test/running-world.ts'
import { toUserLog } from './test/user-log.ts'

const timeout = 300_000
const patience = { timeout: 60_000, interval: 20 }

async function writtenChunks({ pool }: RunningWorld): Promise<number> {
  const { rows } = await pool.query('select count(*)::int as chunks from csv_processor_ledger')
  return rows[0].chunks
}

describe('csv-processor in trouble', { timeout }, () => {
  it('outlasts a database that is down for 5 s in the middle', async () => {
    await using world = await startWorld()
    const log = { rows: 3000, users: 800, bad: [17, 2711] }
    const processed = world.process('data/outage.csv', toUserLog(log))
    await vi.waitFor(async () => expect(await writtenChunks(world)).toBeGreaterThan(2), patience)
    await world.running.services.postgres.kill()
    await wait(5000)
    await world.running.services.postgres.restart()
    const end = await processed
    expect(end).toMatchObject({ status: 'SUCCEEDED' })
    await expectAgreement(world, end, log)
  })

  // Retries of the state machine take their time: only where many rounds are asked for.
  it.runIf(chaosRounds(1) > 1)(
    'ends soon, recorded and sealed, when the database is gone for good (in pnpm chaos only: it takes 44 s)',
    async () => {
      await using world = await startWorld()
      const processed = world.process('data/gone.csv', toUserLog({ rows: 20_000 }))
      await vi.waitFor(async () => expect(await writtenChunks(world)).toBeGreaterThan(2), patience)
      await world.running.services.postgres.kill()
      const started = performance.now()
      const end = await processed
      expect(end).toMatchObject({ status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' })
      expect(performance.now() - started).toBeLessThan(120_000)
      expect(await world.audit.verify(end.name)).toMatchObject({ ok: true, entries: 20_001, late: 0 })
    },
  )

  it('reflects rows once when the function is killed in the middle of a batch', async () => {
    await using world = await startWorld({ isolation: 'call' })
    const log = { rows: 1000, bad: [3] }
    const atWork = new Set<unknown>()
    world.running.intercept('CsvProcessor', async (call, event) => {
      atWork.add(event)
      return call().finally(() => atWork.delete(event))
    })
    const blocker = await world.pool.connect()
    await blocker.query('begin; lock table user_contribution in exclusive mode')
    const processed = world.process('data/killed.csv', toUserLog(log))
    await vi.waitFor(async () => {
      const { rows } = await world.pool.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'")
      const processing = { eventType: 'CSV_CHUNK_PROCESSING' }
      expect(rows).toHaveLength(2)
      expect([...atWork]).toMatchObject([processing, processing])
    }, patience)
    expect(world.running.kill('CsvProcessor')).toBe(true)
    await blocker.query('rollback')
    blocker.release()
    const end = await processed
    expect(end).toMatchObject({ status: 'SUCCEEDED' })
    await expectAgreement(world, end, log)
  })

  // The test above kills it where it matters most; what this one finds, it finds by its number.
  it.runIf(chaosRounds(1) > 1)('reflects rows once when the function is killed at any moment', async () => {
    await using world = await startWorld({ isolation: 'call' })
    for (let round = 0; round < chaosRounds(1); round += 1) {
      await world.pool.query('truncate user_contribution')
      const log = { rows: 2000, users: 700, bad: [round + 1] }
      const processed = world.process(`data/round-${round}.csv`, toUserLog(log))
      // Two kills are what a state's retries are meant for, should both hit the same batch.
      for (let kills = 0; kills < 2; kills += 1) {
        await wait(Math.random() * 1500)
        world.running.kill('CsvProcessor')
      }
      const end = await processed
      expect(end).toMatchObject({ status: 'SUCCEEDED' })
      await expectAgreement(world, end, log)
    }
  })
})
