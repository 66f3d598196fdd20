import { ForbiddenError, ThrottlingException } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Job } from './job.ts'
import { createMemoryJobStore } from './memory-job-store.ts'
import { launchWaiting, retryJob, startJob, startJobOf, updateStatus } from './tasks.ts'

function setUp(capacity?: number) {
  const jobs = createMemoryJobStore()
  const launched: string[] = []
  const launcher = { launch: async ({ id }: Job) => void launched.push(id) }
  return { ports: { jobs, launcher, ...(capacity !== undefined && { capacity }) }, launched, jobs }
}

const mine = { userId: 'ann', type: 'T', params: { b: 1, a: 'é' } }

describe('startJob with an idempotency key', () => {
  it('gives the same job for the same key and content, whatever the order of its fields', async () => {
    const { ports, launched } = setUp()
    const first = await startJob.run({ ...mine, idempotencyKey: 'k' }, ports)
    const again = await startJob.run({ ...mine, params: { a: 'é', b: 1 }, idempotencyKey: 'k' }, ports)
    expect(again.processId).toBe(first.processId)
    expect(new Set(launched).size).toBe(1)
  })

  it('refuses the key for another content, and keeps the keys of users apart', async () => {
    const { ports } = setUp()
    const { processId } = await startJob.run({ ...mine, idempotencyKey: 'k' }, ports)
    const other = { ...mine, params: {}, idempotencyKey: 'k' }
    await expect(startJob.run(other, ports)).rejects.toMatchObject({ name: 'IdempotencyConflictError' })
    const theirs = await startJob.run({ ...other, userId: 'bob' }, ports)
    expect(theirs.processId).not.toBe(processId)
  })
})

describe('startJob with reuse', () => {
  it("gives the user's own completed job for the same content, and no other", async () => {
    const { ports, launched } = setUp()
    const { processId } = await startJob.run(mine, ports)
    expect((await startJob.run({ ...mine, reuse: true }, ports)).processId).not.toBe(processId)
    await updateStatus.run({ processId, status: 'PROCESSING' }, ports)
    await updateStatus.run({ processId, status: 'COMPLETED', result: 'done' }, ports)
    launched.length = 0
    expect(await startJob.run({ ...mine, reuse: true }, ports)).toMatchObject({ processId, result: 'done' })
    expect(launched).toEqual([])
    for (const other of [
      mine,
      { ...mine, userId: 'bob', reuse: true },
      { ...mine, type: 'U', reuse: true },
    ]) {
      expect((await startJob.run(other, ports)).processId).not.toBe(processId)
    }
  })
})

describe('startJob with a capacity', () => {
  it('lets jobs wait, and starts them by priority when there is room', async () => {
    const { ports, launched } = setUp(1)
    const start = async (priority: number) => (await startJob.run({ ...mine, priority }, ports)).processId
    const ids = [await start(0), await start(0), await start(9)] as const
    expect(launched).toEqual([ids[0]])
    await updateStatus.run({ processId: ids[0], status: 'FAILED' }, ports)
    expect(await launchWaiting.run({}, ports)).toEqual({ launched: 1 })
    expect(launched).toEqual([ids[0], ids[2]])
    expect(await launchWaiting.run({}, ports)).toEqual({ launched: 0 })
  })

  it('lets a retry wait, too, with the priority of what it tries again', async () => {
    const { ports, launched, jobs } = setUp(1)
    const { processId } = await startJob.run({ ...mine, priority: 7 }, ports)
    await updateStatus.run({ processId, status: 'FAILED' }, ports)
    await startJob.run(mine, ports)
    const retry = await retryJob.run({ userId: 'ann', processId }, ports)
    expect(launched).not.toContain(retry.processId)
    expect(retry.retryOf).toBe(processId)
    expect(await jobs.find(retry.processId)).toMatchObject({ priority: 7, retryCount: 1 })
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
    const { processId } = await startJob.run(mine, ports)
    const others = { ...ports, refusal: 'この処理にアクセスする権限がありません' }
    const asked = retryJob.run({ userId: 'bob', processId }, others)
    await expect(asked).rejects.toThrow(new ForbiddenError('この処理にアクセスする権限がありません'))
  })
})
