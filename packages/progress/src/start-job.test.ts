import { ForbiddenError, ThrottlingException } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Job } from './job.ts'
import { createMemoryJobStore } from './memory-job-store.ts'
import {
  cancelJob,
  launchWaiting,
  retryJob,
  type StartJobPorts,
  startJob,
  startJobOf,
  updateStatus,
} from './tasks.ts'

function setUp(capacity?: number) {
  const jobs = createMemoryJobStore()
  const launched: string[] = []
  const launcher = { launch: async ({ id }: Job) => void launched.push(id) }
  return { ports: { jobs, launcher, ...(capacity !== undefined && { capacity }) }, launched, jobs }
}

const mine = { userId: 'ann', type: 'T', params: { b: 1, a: 'é' } }

describe('startJob with an id of the caller', () => {
  it('gives the same job for the same id and content, whatever the order of its fields', async () => {
    const { ports, launched } = setUp()
    const first = await startJob.run({ ...mine, jobId: 'k' }, ports)
    const again = await startJob.run({ ...mine, params: { a: 'é', b: 1 }, jobId: 'k' }, ports)
    expect(again.jobId).toBe(first.jobId)
    expect(new Set(launched).size).toBe(1)
  })

  it('refuses the id for another content, and for another user', async () => {
    const { ports } = setUp()
    await startJob.run({ ...mine, jobId: 'k' }, ports)
    const other = { ...mine, params: {}, jobId: 'k' }
    await expect(startJob.run(other, ports)).rejects.toMatchObject({ name: 'IdempotencyConflictError' })
    const theirs = startJob.run({ ...other, userId: 'bob' }, ports)
    await expect(theirs).rejects.toMatchObject({ name: 'ForbiddenError' })
  })
})

describe('startJobOf with a key', () => {
  const input = z.object({ userId: z.string(), type: z.string(), key: z.optional(z.string()) })

  it('gives the same job for the same key, and a new one without', async () => {
    const { ports } = setUp()
    const start = startJobOf(input, { jobKey: ({ key }) => key })
    const idOf = async (key?: string) => (await start.run({ userId: 'ann', type: 'T', key }, ports)).jobId
    expect(await idOf('k')).toBe(await idOf('k'))
    expect(await idOf('k')).toMatch(/^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/)
    expect(await idOf('k')).not.toBe(await idOf('l'))
    expect(await idOf()).not.toBe(await idOf())
  })

  it('is wrapped by what it uses, with its ports', async () => {
    const { ports } = setUp()
    const use = [
      {
        errors: [],
        wrap: (
          { ports: { log } }: { ports: StartJobPorts & { log: string[] } },
          next: () => Promise<never>,
        ) => {
          log.push('called')
          return next()
        },
      },
    ]
    const start = startJobOf(input, { use, ports: { log: 'what was called' } })
    const log: string[] = []
    await start.run({ userId: 'ann', type: 'T' }, { ...ports, log })
    expect(log).toEqual(['called'])
    expect(start.needs?.ports).toMatchObject({ log: 'what was called', jobs: expect.any(String) })
  })
})

describe('startJob with reuse', () => {
  it("gives the user's own completed job for the same content, and no other", async () => {
    const { ports, launched } = setUp()
    const { jobId } = await startJob.run(mine, ports)
    await updateStatus.run({ jobId, status: 'PROCESSING' }, ports)
    await updateStatus.run({ jobId, status: 'COMPLETED', result: 'done' }, ports)
    launched.length = 0
    expect(await startJob.run({ ...mine, reuse: true }, ports)).toMatchObject({ jobId, result: 'done' })
    expect(launched).toEqual([])
    for (const other of [
      mine,
      { ...mine, userId: 'bob', reuse: true },
      { ...mine, type: 'U', reuse: true },
    ]) {
      expect((await startJob.run(other, ports)).jobId).not.toBe(jobId)
    }
  })
})

describe('startJob with reuse of a job that runs', () => {
  it('joins it, and starts another once it has failed', async () => {
    const { ports, launched } = setUp()
    const { jobId } = await startJob.run(mine, ports)
    expect((await startJob.run({ ...mine, reuse: true }, ports)).jobId).toBe(jobId)
    await updateStatus.run({ jobId, status: 'PROCESSING' }, ports)
    expect(await startJob.run({ ...mine, reuse: true }, ports)).toMatchObject({ jobId, status: 'PROCESSING' })
    expect(launched).toEqual([jobId])
    await updateStatus.run({ jobId, status: 'FAILED' }, ports)
    expect((await startJob.run({ ...mine, reuse: true }, ports)).jobId).not.toBe(jobId)
  })
})

describe('startJob with a limit of open jobs', () => {
  it('refuses more with 429, and takes others once one has ended', async () => {
    const { ports } = setUp()
    const limited = { ...ports, maxOpenJobs: 2 }
    const { jobId } = await startJob.run(mine, limited)
    await startJob.run(mine, limited)
    await expect(startJob.run(mine, limited)).rejects.toMatchObject({
      name: 'TooManyJobsError',
      httpStatus: 429,
      details: { limit: 2 },
    })
    await updateStatus.run({ jobId, status: 'FAILED' }, ports)
    const retried = await retryJob.run({ userId: 'ann', jobId }, limited)
    await expect(startJob.run(mine, limited)).rejects.toMatchObject({ name: 'TooManyJobsError' })
    expect(retried.status).toBe('PENDING')
    expect((await startJob.run({ ...mine, userId: 'bob' }, limited)).status).toBe('PENDING')
  })
})

describe('launchWaiting', () => {
  it('waits for the worker of a cancelled job to stop, and then starts the next', async () => {
    const { ports, jobs, launched } = setUp(1)
    const [first, second] = [await startJob.run(mine, ports), await startJob.run(mine, ports)]
    await jobs.begin(first.jobId, { silentForMs: 0 })
    await jobs.occupy(first.jobId, 1, 300_000)
    await cancelJob.run({ userId: 'ann', jobId: first.jobId }, { jobs })
    let sleeps = 0
    const sleep = async () => {
      sleeps += 1
      if (sleeps === 3) await jobs.release(first.jobId, 1)
    }
    expect(await launchWaiting.run({}, { ...ports, sleep })).toEqual({ launched: 1 })
    expect([sleeps, launched]).toEqual([3, [first.jobId, second.jobId]])
  })

  it('does not wait where nobody does, or for longer than a few seconds', async () => {
    const { ports, jobs } = setUp(1)
    const { jobId } = await startJob.run(mine, ports)
    await jobs.begin(jobId, { silentForMs: 0 })
    await jobs.occupy(jobId, 1, 300_000)
    await cancelJob.run({ userId: 'ann', jobId }, { jobs })
    let clock = Date.now()
    const sleep = async (ms: number) => {
      clock += ms
    }
    const context = { now: () => clock }
    const before = clock
    expect(await launchWaiting.run({}, { ...ports, sleep }, context)).toEqual({ launched: 0 })
    expect(clock).toBe(before)
    await startJob.run(mine, ports)
    expect(await launchWaiting.run({}, { ...ports, sleep }, context)).toEqual({ launched: 0 })
    expect(clock - before).toBe(6000)
  })
})

describe('startJob with a capacity', () => {
  it('lets jobs wait, and starts them by priority when there is room', async () => {
    const { ports, launched } = setUp(1)
    const start = async (priority: number) => (await startJob.run({ ...mine, priority }, ports)).jobId
    const ids = [await start(0), await start(0), await start(9)] as const
    expect(launched).toEqual([ids[0]])
    await updateStatus.run({ jobId: ids[0], status: 'FAILED' }, ports)
    expect(await launchWaiting.run({}, ports)).toEqual({ launched: 1 })
    expect(launched).toEqual([ids[0], ids[2]])
    expect(await launchWaiting.run({}, ports)).toEqual({ launched: 0 })
  })

  it('lets a retry wait, too, with the priority of what it tries again', async () => {
    const { ports, launched, jobs } = setUp(1)
    const { jobId } = await startJob.run({ ...mine, priority: 7 }, ports)
    await updateStatus.run({ jobId, status: 'FAILED' }, ports)
    await startJob.run(mine, ports)
    const retry = await retryJob.run({ userId: 'ann', jobId }, ports)
    expect(launched).not.toContain(retry.jobId)
    expect(retry.retryOf).toBe(jobId)
    expect(await jobs.find(retry.jobId)).toMatchObject({ priority: 7, retryCount: 1 })
  })

  it('takes a job that cannot be launched now: it waits', async () => {
    const { ports } = setUp(1)
    const broken = { ...ports, launcher: { launch: () => Promise.reject(new ThrottlingException('slow')) } }
    const view = await startJob.run(mine, broken)
    expect(view.status).toBe('PENDING')
    await expect(launchWaiting.run({}, { ...broken, capacity: 2 })).resolves.toEqual({ launched: 0 })
  })
})

describe('startJobOf', () => {
  const schema = z.object({
    userId: z.string(),
    type: z.literal('SUM'),
    params: z.object({ numbers: z.array(z.number()) }),
  })

  it('takes what the schema takes', async () => {
    const { ports } = setUp()
    const start = startJobOf(schema)
    const view = await start.run({ userId: 'ann', type: 'SUM', params: { numbers: [1] } }, ports)
    expect(view).toMatchObject({ type: 'SUM', status: 'PENDING' })
    await expect(
      start.run({ userId: 'ann', type: 'SUM', params: { numbers: 'no' as never } }, ports),
    ).rejects.toMatchObject({ name: 'DataValidationError' })
  })
})

describe('the refusal of others', () => {
  it('is in the words that are given', async () => {
    const { ports } = setUp()
    const { jobId } = await startJob.run(mine, ports)
    const others = { ...ports, refusal: 'この処理にアクセスする権限がありません' }
    const asked = retryJob.run({ userId: 'bob', jobId }, others)
    await expect(asked).rejects.toThrow(new ForbiddenError('この処理にアクセスする権限がありません'))
  })
})
