import { defineBusinessError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { createMemoryJobStore } from './memory-job-store.ts'
import { cancelJob, type JobWork, updateStatus, workOnJob } from './tasks.ts'
import { createVirtualClock } from './test/virtual-clock.ts'

const job = { id: 'j', userId: 'ann', type: 'T', targetId: null, params: null, retryCount: 0 }
class ModelRefused extends defineBusinessError('ModelRefused') {}

async function setUp(work: (work: JobWork) => Promise<unknown>) {
  const { now, sleep, advance } = createVirtualClock(1_760_000_000_000)
  const jobs = createMemoryJobStore({ now })
  await jobs.insert(job)
  const { attempt } = await updateStatus.run({ jobId: 'j', status: 'PROCESSING' }, { jobs })
  const heard: unknown[] = []
  let waits = true
  const callback = {
    async heartbeat() {
      heard.push('beat')
      return waits
    },
    async succeed(taskToken: string, output: unknown) {
      heard.push([taskToken, output])
      return waits
    },
  }
  const task = workOnJob({
    name: 'work',
    description: 'Works.',
    errors: [ModelRefused],
    ports: {},
    work,
  })
  const run = (jobId = 'j') =>
    task.run({ jobId, attempt, taskToken: 'token' }, { jobs, callback, sleep }, { now })
  const forget = () => {
    waits = false
  }
  return { jobs, run, heard, advance, forget }
}

describe('workOnJob', () => {
  it('occupies a slot while it works, and frees it also when the work fails', async () => {
    const seen: unknown[] = []
    const { jobs, run } = await setUp(async () => {
      seen.push((await jobs.find('j'))?.workerUntil?.getTime())
      throw new ModelRefused('no')
    })
    await expect(run()).rejects.toThrow('no')
    expect(seen).toEqual([1_760_000_000_000 + 900_000])
    expect((await jobs.find('j'))?.workerUntil).toBeNull()
  })

  it('stops within two seconds when its job is cancelled', async () => {
    const { jobs, run, advance } = await setUp(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const outcome = expect(run()).rejects.toMatchObject({ name: 'JobCancelledError' })
    await advance(3000)
    await cancelJob.run({ userId: 'ann', jobId: 'j' }, { jobs })
    await advance(2000)
    await outcome
  })

  it('keeps parts, and tells the state when it is done', async () => {
    const { jobs, run, heard } = await setUp(async ({ keep }) => {
      await keep(0, 'a', 50)
      await keep(1, 'b', 100)
    })
    expect(await run()).toEqual({ jobId: 'j', parts: 2 })
    expect(heard).toEqual(['beat', ['token', { jobId: 'j', parts: 2 }]])
    expect(await jobs.find('j')).toMatchObject({ status: 'PROCESSING', progress: 99 })
  })

  it('goes on with what is kept already', async () => {
    const asked: number[] = []
    const { jobs, run } = await setUp(async ({ parts, keep }) => {
      for (let part = 0; part < 4; part += 1) {
        if (parts.has(part)) continue
        asked.push(part)
        await keep(part, part, part * 25)
      }
    })
    await jobs.keepPart('j', 1, { part: 0, value: 0 }, 25)
    await jobs.keepPart('j', 1, { part: 2, value: 2 }, 50)
    await run()
    expect(asked).toEqual([1, 3])
    await jobs.end('j', { status: 'FAILED' })
    await jobs.insert({ ...job, id: 'again', retryOf: 'j' })
    await jobs.begin('again', { silentForMs: 0 })
    expect(await run('again')).toEqual({ jobId: 'again', parts: 4 })
    expect(asked).toEqual([1, 3])
  })

  it('gives signs of life to the state while it works', async () => {
    const done = Promise.withResolvers<void>()
    const { run, heard, advance } = await setUp(() => done.promise)
    const running = run()
    await advance(25_000)
    expect(heard).toEqual(['beat', 'beat', 'beat'])
    done.resolve()
    await running
  })

  it('stops when nobody waits for it any more', async () => {
    const { run, advance, forget } = await setUp(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const running = run()
    running.catch(() => {})
    await advance(1000)
    forget()
    await advance(10_000)
    await expect(running).rejects.toMatchObject({ name: 'TokenGoneError' })
  })

  it('says so when nobody waited for its end', async () => {
    const { run, forget } = await setUp(async () => forget())
    await expect(run()).rejects.toMatchObject({ name: 'TokenGoneError' })
  })

  it('stops within a heartbeat when the job is cancelled, and keeps nothing more', async () => {
    const { jobs, run, advance } = await setUp(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const running = run()
    running.catch(() => {})
    await advance(1000)
    await cancelJob.run({ userId: 'ann', jobId: 'j' }, { jobs })
    await advance(10_000)
    await expect(running).rejects.toMatchObject({ name: 'JobCancelledError' })

    const late = await setUp(async ({ keep }) => {
      await late.jobs.end('j', { status: 'CANCELLED' })
      await keep(0, 'too late', 50)
    })
    await expect(late.run()).rejects.toMatchObject({ name: 'JobCancelledError' })
    expect(await late.jobs.listParts('j')).toEqual([])
  })

  it('fails with what the work throws', async () => {
    const { run, heard } = await setUp(async () => {
      throw new ModelRefused('no')
    })
    await expect(run()).rejects.toMatchObject({ name: 'ModelRefused' })
    expect(heard).toEqual(['beat'])
    await expect(run('nobody')).rejects.toMatchObject({ name: 'NotFoundError' })
  })
})

describe('cancelJob with a stopper', () => {
  it('stops the work after the job is marked, and is done even if that fails', async () => {
    const { jobs } = await setUp(async () => {})
    const stopped: string[] = []
    const stopper = {
      async stop({ id, status }: { id: string; status: string }) {
        stopped.push(`${id} ${status}`)
        throw new Error('no answer')
      },
    }
    const view = await cancelJob.run({ userId: 'ann', jobId: 'j' }, { jobs, stopper })
    expect([view.status, stopped]).toEqual(['CANCELLED', ['j CANCELLED']])
  })
})

describe('updateStatus with resultOf', () => {
  it('makes the result of the parts when the job is completed, and keeps it from the state machine', async () => {
    const { jobs } = await setUp(async () => {})
    // More than a state can carry: the answer would fail, and the state after a job that is completed.
    const value = 'a'.repeat(300_000)
    await jobs.keepPart('j', 1, { part: 0, value }, 50)
    const resultOf = async ({ id }: { id: string }) => (await jobs.listParts(id)).map(part => part.value)
    const input = { jobId: 'j', attempt: 1, status: 'COMPLETED' } as const
    for (const _ of ['once', 'again']) {
      const view = await updateStatus.run(input, { jobs, resultOf })
      expect(view).toMatchObject({ status: 'COMPLETED', progress: 100, result: null })
    }
    expect((await jobs.find('j'))?.result).toEqual([value])
  })
})
