import { DatabaseConnectionError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { JobCancelledError, StaleAttemptError } from './errors.ts'
import type { JobStore } from './job-store.ts'
import { createMemoryJobStore } from './memory-job-store.ts'
import { createVirtualClock, type VirtualClock } from './test/virtual-clock.ts'
import { type JobTracker, trackJob } from './track-job.ts'

interface Setup {
  readonly clock: VirtualClock
  readonly jobs: JobStore
  /** Every beat that reached the store: `progress at ms`. */
  readonly beats: string[]
}

async function setUp(): Promise<Setup> {
  const clock = createVirtualClock()
  const memory = createMemoryJobStore({ now: clock.now })
  const beats: string[] = []
  const jobs: JobStore = {
    ...memory,
    beat(id, attempt, progress) {
      beats.push(`${progress} at ${clock.now()}`)
      return memory.beat(id, attempt, progress)
    },
  }
  await jobs.insert({ id: 'j', userId: 'u', type: 'T', targetId: null, params: null, retryCount: 0 })
  await jobs.begin('j', { silentForMs: 0 })
  return { clock, jobs, beats }
}

function track<T>(
  { clock, jobs }: Setup,
  work: (tracker: JobTracker) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return trackJob(
    { now: clock.now, sleep: clock.sleep, jobs, jobId: 'j', attempt: 1, ...(signal && { signal }) },
    work,
  )
}

function untilAborted({ signal }: JobTracker): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

describe('trackJob', () => {
  it('writes whole percentages, at most one a second, and the last at once', async () => {
    const setup = await setUp()
    const never = new AbortController().signal
    const done = track(setup, async ({ report }) => {
      for (let step = 1; step <= 64; step += 1) {
        await setup.clock.sleep(50, never)
        report(step * 1.5625)
      }
      return 'result'
    })
    await setup.clock.advance(3200)
    expect(await done).toBe('result')
    expect(setup.beats).toEqual(['0 at 0', '29 at 1000', '60 at 2000', '92 at 3000', '99 at 3200'])
    expect(await setup.jobs.find('j')).toMatchObject({ progress: 99, status: 'PROCESSING' })
  })

  it('beats while nothing is reported, and stops with the work', async () => {
    const setup = await setUp()
    const never = new AbortController().signal
    const done = track(setup, () => setup.clock.sleep(5000, never))
    await setup.clock.advance(5000)
    await done
    await setup.clock.advance(60_000)
    expect(setup.beats).toEqual(['0 at 0', '0 at 2000', '0 at 4000'])
    expect(await setup.jobs.find('j')).toMatchObject({ heartbeatAt: new Date(4000) })
  })

  it('aborts the work at the next heartbeat after a cancellation', async () => {
    const setup = await setUp()
    const done = track(setup, untilAborted)
    const outcome = expect(done).rejects.toThrow(JobCancelledError)
    await setup.clock.advance(5000)
    await setup.jobs.end('j', { status: 'CANCELLED' })
    await setup.clock.advance(5000)
    await outcome
  })

  it('aborts the work at its next report after another worker took over', async () => {
    const setup = await setUp()
    let report: JobTracker['report'] = () => {}
    const done = track(setup, tracker => {
      report = tracker.report
      return untilAborted(tracker)
    })
    const outcome = expect(done).rejects.toThrow(StaleAttemptError)
    await setup.clock.advance(1000)
    await setup.jobs.begin('j', { silentForMs: 0 })
    report(10)
    await setup.clock.advance(0)
    await outcome
    expect(await setup.jobs.find('j')).toMatchObject({ attempt: 2, progress: 0 })
  })

  it('does not let a worker that never looked finish a cancelled job', async () => {
    const setup = await setUp()
    const done = track(setup, async ({ report }) => {
      await setup.jobs.end('j', { status: 'CANCELLED' })
      report(90)
      return 'too late'
    })
    const outcome = expect(done).rejects.toThrow(JobCancelledError)
    await setup.clock.advance(0)
    await outcome
  })

  it('works on while the store is down', async () => {
    const setup = await setUp()
    const errors: unknown[] = []
    const never = new AbortController().signal
    let down = true
    const flaky: JobStore = {
      ...setup.jobs,
      beat: async (...beat) => {
        if (down) throw new DatabaseConnectionError('connection lost')
        return setup.jobs.beat(...beat)
      },
    }
    const done = trackJob(
      {
        now: setup.clock.now,
        sleep: setup.clock.sleep,
        jobs: flaky,
        jobId: 'j',
        attempt: 1,
        onWriteError: error => errors.push(error),
      },
      async ({ report, signal }) => {
        report(40)
        await setup.clock.sleep(3000, never)
        return signal.aborted
      },
    )
    await setup.clock.advance(2500)
    down = false
    await setup.clock.advance(500)
    expect(await done).toBe(false)
    expect(errors.length).toBeGreaterThan(1)
    expect(await setup.jobs.find('j')).toMatchObject({ progress: 40 })
  })

  it("passes the caller's own signal on, and the work's own error", async () => {
    const setup = await setUp()
    const timeout = new AbortController()
    const done = track(setup, untilAborted, timeout.signal)
    const outcome = expect(done).rejects.toThrow('out of time')
    timeout.abort(new Error('out of time'))
    await outcome
    await expect(track(setup, () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
  })

  it('ignores a report that is no number', async () => {
    const setup = await setUp()
    const done = track(setup, async ({ report }) => {
      for (const percent of [20, Number.NaN, 30]) {
        report(percent)
        await setup.clock.sleep(1000)
      }
    })
    await setup.clock.advance(4000)
    await done
    expect((await setup.jobs.find('j'))?.progress).toBe(30)
  })

  it('stops a worker that has no attempt', async () => {
    const { clock, jobs } = await setUp()
    await jobs.insert({ id: 'p', userId: 'u', type: 'T', targetId: null, params: null, retryCount: 0 })
    const done = trackJob({ now: clock.now, sleep: clock.sleep, jobs, jobId: 'p', attempt: 0 }, () =>
      clock.sleep(25_000),
    )
    const stopped = expect(done).rejects.toThrow(StaleAttemptError)
    await clock.advance(30_000)
    await stopped
  })
})
