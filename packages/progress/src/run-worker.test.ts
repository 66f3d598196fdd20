import { setImmediate as turn } from 'node:timers/promises'
import { defineBusinessError, ServiceUnavailableException } from '@stepwright/errors'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMemoryJobStore } from './memory-job-store.ts'
import type { JobWork } from './perform-job.ts'
import { runWorker, type WorkerOptions } from './run-worker.ts'
import { cancelJob, retryJob, startJob } from './tasks.ts'
import { createVirtualClock } from './test/virtual-clock.ts'

class ModelRefused extends defineBusinessError('ModelRefused') {}

function setUp(work: (work: JobWork) => Promise<unknown>, options: Partial<WorkerOptions> = {}) {
  const clock = createVirtualClock(1_760_000_000_000)
  const jobs = createMemoryJobStore({ now: clock.now })
  const stopping = new AbortController()
  const troubles: unknown[] = []
  const run = (more: Partial<WorkerOptions> = {}) =>
    runWorker({
      jobs,
      work,
      now: clock.now,
      sleep: clock.sleep,
      random: () => 1,
      signal: stopping.signal,
      onError: error => troubles.push(error),
      ...options,
      ...more,
    })
  const ports = { jobs, launcher: { launch: async () => {} }, capacity: 0 }
  const start = async (jobId: string, userId = 'ann') =>
    (await startJob.run({ userId, type: 'T', jobId }, ports)).jobId
  return { ...clock, jobs, ports, run, start, stop: () => stopping.abort(), troubles }
}

function untilAborted({ signal }: JobWork): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

describe('runWorker', () => {
  it('works on jobs in their turn, keeps their parts, and ends them with their results', async () => {
    const { jobs, run, start, advance, stop } = setUp(async ({ job, keep }) => {
      if (job.id === 'whole') return { text: 'all at once' }
      await keep(1, 'b', 90)
      await keep(0, 'a', 50)
      return undefined
    })
    for (const id of ['parts', 'whole']) await start(id)
    const ended = run()
    await advance(5000)
    stop()
    await ended
    expect(await jobs.find('parts')).toMatchObject({ status: 'COMPLETED', progress: 100, result: ['a', 'b'] })
    expect(await jobs.find('whole')).toMatchObject({ status: 'COMPLETED', result: { text: 'all at once' } })
  })

  it('works on as many at once as it may, and begins the next as soon as one has ended', async () => {
    const free = new Map<string, () => void>()
    const { run, start, advance, stop } = setUp(
      ({ job }) => new Promise<void>(resolve => void free.set(job.id, resolve)),
      { concurrency: 2 },
    )
    for (const id of ['a', 'b', 'c']) await start(id)
    const ended = run()
    await advance(10)
    expect([...free.keys()]).toEqual(['a', 'b'])
    free.get('a')?.()
    for (let at = 0; at < 5; at += 1) await turn()
    expect([...free.keys()]).toEqual(['a', 'b', 'c'])
    for (const done of free.values()) done()
    await advance(10)
    stop()
    await ended
  })

  it('shares jobs with other workers, each of them worked on once', async () => {
    const seen: string[] = []
    const { run, start, advance, stop } = setUp(async ({ job }) => void seen.push(job.id), { concurrency: 3 })
    for (let at = 0; at < 12; at += 1) await start(`job-${at}`)
    const all = [run(), run(), run()]
    await advance(5000)
    stop()
    await Promise.all(all)
    expect(seen.toSorted()).toEqual(Array.from({ length: 12 }, (_, at) => `job-${at}`).toSorted())
  })

  it('tries again after a retryable error, from what is kept, and gives up after the third time', async () => {
    const tries: (readonly number[])[] = []
    const { jobs, run, start, advance, stop } = setUp(async ({ job, parts, keep }) => {
      tries.push([...parts.keys()])
      await keep(tries.length, 'kept', 10)
      if (job.id === 'lost' || tries.length === 1) throw new ServiceUnavailableException('busy')
    })
    await start('mended')
    const ended = run()
    await advance(20_000)
    expect(await jobs.find('mended')).toMatchObject({ status: 'COMPLETED', attempt: 2 })
    expect(tries).toEqual([[], [1]])
    await start('lost')
    await advance(20_000)
    expect(await jobs.find('lost')).toMatchObject({
      status: 'FAILED',
      attempt: 3,
      error: { code: 'ServiceUnavailableException', message: 'the processing failed' },
    })
    stop()
    await ended
  })

  it('fails a job at once for a business error, with its message, and takes the parts along when it is retried', async () => {
    const seen: number[] = []
    const { jobs, ports, run, start, advance, stop } = setUp(async ({ parts, keep }) => {
      seen.push(parts.size)
      if (parts.size > 0) return 'mended'
      await keep(0, 'a', 50)
      throw new ModelRefused('not this')
    })
    await start('refused')
    const ended = run()
    await advance(2000)
    expect(await jobs.find('refused')).toMatchObject({
      status: 'FAILED',
      attempt: 1,
      error: { code: 'ModelRefused', message: 'not this' },
    })
    const retry = await retryJob.run({ userId: 'ann', jobId: 'refused' }, ports)
    await advance(2000)
    stop()
    await ended
    expect(await jobs.find(retry.jobId)).toMatchObject({ status: 'COMPLETED', result: 'mended' })
    expect(seen).toEqual([0, 1])
  })

  it('stops the work of a job that its owner cancels, and goes on with the next', async () => {
    const { jobs, run, start, advance, stop, troubles } = setUp(work =>
      work.job.id === 'long' ? untilAborted(work) : Promise.resolve('done'),
    )
    for (const id of ['long', 'short']) await start(id)
    const ended = run()
    await advance(1000)
    await cancelJob.run({ userId: 'ann', jobId: 'long' }, { jobs })
    await advance(4000)
    expect([(await jobs.find('long'))?.status, (await jobs.find('short'))?.status]).toEqual([
      'CANCELLED',
      'COMPLETED',
    ])
    stop()
    await ended
    expect(troubles).toEqual([])
  })

  it('takes over the job of a worker that died, after a minute, with what it kept', async () => {
    const { jobs, run, start, advance, stop } = setUp(async ({ parts }) => [...parts.values()])
    await start('orphan')
    await jobs.admit({ maxRunning: 1, relaunchAfterMs: 60_000, agingMs: 60_000 })
    await jobs.begin('orphan', { silentForMs: 0 })
    await jobs.keepPart('orphan', 1, { part: 0, value: 'kept' }, 50)
    const ended = run()
    await advance(58_000)
    expect((await jobs.find('orphan'))?.status).toBe('PROCESSING')
    await advance(4000)
    stop()
    await ended
    expect(await jobs.find('orphan')).toMatchObject({ status: 'COMPLETED', attempt: 2, result: ['kept'] })
  })

  it('takes no more jobs when it is stopped, and lets those that run end', async () => {
    let finish = (): void => {}
    const { jobs, run, start, advance, stop } = setUp(
      () =>
        new Promise<void>(resolve => {
          finish = resolve
        }),
    )
    for (const id of ['running', 'waiting']) await start(id)
    const ended = run()
    await advance(10)
    stop()
    await advance(5000)
    finish()
    await ended
    expect([(await jobs.find('running'))?.status, (await jobs.find('waiting'))?.status]).toEqual([
      'COMPLETED',
      'PENDING',
    ])
  })

  it('gives up what takes longer than its grace, which another worker then takes over', async () => {
    let works = 0
    const { jobs, run, start, advance, stop } = setUp(work => {
      works += 1
      return works === 1 ? untilAborted(work) : Promise.resolve('by another')
    })
    await start('long')
    const ended = run()
    await advance(10)
    stop()
    await advance(26_000)
    await ended
    expect((await jobs.find('long'))?.status).toBe('PROCESSING')
    const other = new AbortController()
    const taken = run({ signal: other.signal })
    await advance(62_000)
    other.abort()
    await taken
    expect(await jobs.find('long')).toMatchObject({ status: 'COMPLETED', result: 'by another' })
  })

  it('goes on when the store fails, and says so', async () => {
    const { jobs, run, start, advance, stop, troubles } = setUp(async () => 'done')
    let isBroken = true
    const admit: typeof jobs.admit = async admission => {
      if (isBroken) throw new ServiceUnavailableException('gone')
      return jobs.admit(admission)
    }
    await start('late')
    const ended = run({ jobs: { ...jobs, admit } })
    await advance(2500)
    isBroken = false
    await advance(2500)
    stop()
    await ended
    expect((await jobs.find('late'))?.status).toBe('COMPLETED')
    expect(troubles.length).toBeGreaterThanOrEqual(2)
  })

  it('stops on SIGTERM', async () => {
    const jobs = createMemoryJobStore()
    // Vitest must not stop, too.
    const ignore = (): void => {}
    process.on('SIGTERM', ignore)
    onTestFinished(() => void process.removeListener('SIGTERM', ignore))
    const before = process.listenerCount('SIGTERM')
    const ended = runWorker({ jobs, work: async () => 'done', pollMs: 5 })
    await turn()
    process.emit('SIGTERM')
    await ended
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })

  it('refuses a concurrency that is not a number of jobs', async () => {
    await expect(setUp(async () => {}).run({ concurrency: 0 })).rejects.toThrow(TypeError)
  })
})
