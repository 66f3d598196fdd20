import { DatabaseConnectionError, ThrottlingException } from '@stepwright/errors'
import type { TaskContext } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import type { Job } from './job.ts'
import type { JobStore } from './job-store.ts'
import { createMemoryJobStore } from './memory-job-store.ts'
import { toRetryId } from './retry-id.ts'
import {
  cancelJob,
  endStuckJobs,
  getJob,
  listJobs,
  progressTaskErrors,
  purgeJobs,
  retryJob,
  startJob,
  updateStatus,
  watchJobs,
} from './tasks.ts'

const start = Date.parse('2025-10-10T10:00:00Z')

function setUp() {
  let clock = start
  const now = (): number => clock
  const jobs = createMemoryJobStore({ now })
  const launched: Job[] = []
  const metrics: string[] = []
  let ids = 0
  const ports = {
    jobs,
    launcher: { launch: async (job: Job) => void launched.push(job) },
    newId: () => `id-${++ids}`,
  }
  const context: Partial<TaskContext> = {
    now,
    metrics: { add: (name, value, unit = 'Count') => void metrics.push(`${name} ${value} ${unit}`) },
  }
  const pass = (ms: number): void => {
    clock += ms
  }
  return { ports, context, launched, metrics, pass }
}

const mine = { userId: 'user-1', type: 'SUBGOAL_GENERATION' }

async function failedJob({ ports, context }: ReturnType<typeof setUp>): Promise<string> {
  const { jobId } = await startJob.run({ ...mine, params: { goal: 7 }, targetId: 't' }, ports, context)
  await updateStatus.run({ jobId, status: 'FAILED' }, ports)
  return jobId
}

describe('startJob', () => {
  it('stores and launches a pending job and counts it', async () => {
    const { ports, context, launched, metrics } = setUp()
    const view = await startJob.run({ ...mine, params: { goal: 7 } }, ports, context)
    expect(view).toEqual({
      jobId: 'id-1',
      status: 'PENDING',
      type: 'SUBGOAL_GENERATION',
      progress: 0,
      targetId: null,
      result: null,
      error: null,
      retryCount: 0,
      retryOf: null,
      attempt: 0,
      createdAt: '2025-10-10T10:00:00.000Z',
      updatedAt: '2025-10-10T10:00:00.000Z',
      completedAt: null,
      estimatedCompletionTime: '2025-10-10T10:05:00.000Z',
      position: null,
    })
    expect(launched).toMatchObject([{ id: 'id-1', params: { goal: 7 } }])
    expect(metrics).toEqual(['AsyncProcessingStarted 1 Count'])
  })

  it("starts one job for one id of the caller's, again after a crash before the launch", async () => {
    const { ports, context, launched, metrics } = setUp()
    const input = { ...mine, jobId: 'click-1' }
    const broken = { ...ports, launcher: { launch: () => Promise.reject(new ThrottlingException('slow')) } }
    await expect(startJob.run(input, broken, context)).rejects.toMatchObject({ name: 'ThrottlingException' })
    const view = await startJob.run(input, ports, context)
    expect(view).toMatchObject({ jobId: 'click-1', status: 'PENDING' })
    await updateStatus.run({ jobId: 'click-1', status: 'PROCESSING' }, ports)
    expect(await startJob.run(input, ports, context)).toMatchObject({ status: 'PROCESSING' })
    expect(launched).toHaveLength(1)
    expect(metrics.filter(metric => metric.startsWith('AsyncProcessingStarted'))).toHaveLength(1)
  })

  it('counts no failure of a job that was launched after all, though the answer got lost', async () => {
    const { ports, context, metrics } = setUp()
    const launcher = {
      async launch({ id }: Job) {
        await updateStatus.run({ jobId: id, status: 'PROCESSING' }, ports)
        throw new ThrottlingException('slow')
      },
    }
    const asked = startJob.run(mine, { ...ports, launcher }, context)
    await expect(asked).rejects.toMatchObject({ name: 'ThrottlingException' })
    expect(await ports.jobs.find('id-1')).toMatchObject({ status: 'PROCESSING' })
    expect(metrics).toEqual(['AsyncProcessingStarted 1 Count'])
  })

  it('fails a job that could not be launched and that nobody will ask for again', async () => {
    const { ports, context, metrics } = setUp()
    const broken = { ...ports, launcher: { launch: () => Promise.reject(new ThrottlingException('slow')) } }
    await expect(startJob.run(mine, broken, context)).rejects.toMatchObject({ name: 'ThrottlingException' })
    expect(await ports.jobs.find('id-1')).toMatchObject({
      status: 'FAILED',
      error: { code: 'LAUNCH_FAILED' },
    })
    expect(metrics).toContain('AsyncProcessingFailed 1 Count')
  })

  it("refuses an id that is another user's", async () => {
    const { ports } = setUp()
    await startJob.run({ ...mine, jobId: 'taken' }, ports)
    await expect(startJob.run({ ...mine, userId: 'user-2', jobId: 'taken' }, ports)).rejects.toMatchObject({
      name: 'ForbiddenError',
    })
  })

  it('counts nothing when it starts a job', async () => {
    const { ports } = setUp()
    const jobs: JobStore = {
      ...ports.jobs,
      count: () => Promise.reject(new DatabaseConnectionError('lost')),
    }
    expect(await startJob.run(mine, { ...ports, jobs })).toMatchObject({ status: 'PENDING' })
  })
})

describe('getJob', () => {
  it('shows progress and when it will be done', async () => {
    const { ports, context, pass } = setUp()
    const { jobId } = await startJob.run(mine, ports, context)
    await updateStatus.run({ jobId, status: 'PROCESSING' }, ports)
    pass(150_000)
    await ports.jobs.beat(jobId, 1, 50)
    expect(await getJob.run({ userId: 'user-1', jobId }, ports, context)).toMatchObject({
      status: 'PROCESSING',
      progress: 50,
      updatedAt: '2025-10-10T10:02:30.000Z',
      estimatedCompletionTime: '2025-10-10T10:05:00.000Z',
    })
  })

  it.each([
    ['getJob', getJob],
    ['retryJob', retryJob],
    ['cancelJob', cancelJob],
  ] as const)('%s answers a stranger as if there were no job', async (_, task) => {
    const { ports } = setUp()
    await startJob.run(mine, ports)
    const refusal = (userId: string, jobId: string): Promise<object> =>
      task.run({ userId, jobId }, ports).then(
        () => expect.unreachable(),
        ({ name, message, code, details }) => ({ name, message, code, details }),
      )
    const foreign = await refusal('user-2', 'id-1')
    expect(foreign).toMatchObject({ name: 'ForbiddenError' })
    expect(await refusal('user-1', 'id-404')).toEqual(foreign)
  })
})

describe('updateStatus', () => {
  it('takes a job through its life and measures it', async () => {
    const { ports, context, metrics, pass } = setUp()
    const { jobId } = await startJob.run(mine, ports)
    pass(1000)
    const { attempt } = await updateStatus.run({ jobId, status: 'PROCESSING' }, ports, context)
    pass(2500)
    const end = { jobId, attempt, status: 'COMPLETED', result: { goals: [1, 2] } } as const
    expect(await updateStatus.run(end, ports, context)).toMatchObject({
      status: 'COMPLETED',
      progress: 100,
      result: { goals: [1, 2] },
      completedAt: '2025-10-10T10:00:03.500Z',
    })
    expect(await updateStatus.run(end, ports, context)).toMatchObject({ status: 'COMPLETED' })
    expect(metrics).toEqual(['AsyncProcessingCompleted 1 Count', 'ProcessingDuration 2500 Milliseconds'])
  })

  it.each([
    ['FAILED', 'AsyncProcessingFailed'],
    ['TIMEOUT', 'AsyncProcessingTimeout'],
  ] as const)('counts %s as %s', async (status, metric) => {
    const { ports, context, metrics } = setUp()
    const { jobId } = await startJob.run(mine, ports)
    const error = { Error: 'BusinessError', Cause: '{"errorType":"BusinessError","errorMessage":"no"}' }
    expect(await updateStatus.run({ jobId, status, error }, ports, context)).toMatchObject({
      status,
      error: { code: 'BusinessError', message: 'no' },
    })
    expect(metrics).toEqual([`${metric} 1 Count`, 'ProcessingDuration 0 Milliseconds'])
  })

  it('refuses what the table does not allow, by name', async () => {
    const { ports } = setUp()
    await expect(updateStatus.run({ jobId: 'id-9', status: 'FAILED' }, ports)).rejects.toMatchObject({
      name: 'NotFoundError',
    })
    const { jobId } = await startJob.run(mine, ports)
    await expect(updateStatus.run({ jobId, status: 'COMPLETED' }, ports)).rejects.toMatchObject({
      name: 'IllegalTransitionError',
    })
    await updateStatus.run({ jobId, status: 'PROCESSING' }, ports)
    await updateStatus.run({ jobId, status: 'PROCESSING', takeOverAfterSeconds: 0 }, ports)
    await expect(updateStatus.run({ jobId, status: 'COMPLETED', attempt: 1 }, ports)).rejects.toMatchObject({
      name: 'StaleAttemptError',
    })
  })
})

describe('updateStatus to PROCESSING', () => {
  it('gives the same attempt again while its worker is alive, and a new one when it is silent', async () => {
    const { ports, pass } = setUp()
    const { jobId } = await startJob.run(mine, ports)
    const begin = { jobId, status: 'PROCESSING' } as const
    expect(await updateStatus.run(begin, ports)).toMatchObject({ attempt: 1 })
    await ports.jobs.beat(jobId, 1, 30)
    pass(59_999)
    expect(await updateStatus.run(begin, ports)).toMatchObject({ attempt: 1, progress: 30 })
    expect((await ports.jobs.beat(jobId, 1, 40)).applied).toBe(true)
    pass(60_000)
    expect(await updateStatus.run(begin, ports)).toMatchObject({ attempt: 2, progress: 0 })
    expect((await ports.jobs.beat(jobId, 1, 50)).applied).toBe(false)
  })
})

describe('getJob of a job that waits', () => {
  it('shows its position in the queue, and when it will be done after those before it', async () => {
    const { ports, context } = setUp()
    const limited = { ...ports, capacity: 2 }
    for (const jobId of ['a', 'b', 'c', 'd']) await startJob.run({ ...mine, jobId }, limited, context)
    const get = (jobId: string) => getJob.run({ userId: 'user-1', jobId }, limited, context)
    expect(await get('a')).toMatchObject({
      position: null,
      estimatedCompletionTime: '2025-10-10T10:05:00.000Z',
    })
    // Two run at once, for five minutes each: one becomes free every two and a half.
    expect(await get('c')).toMatchObject({
      position: 1,
      estimatedCompletionTime: '2025-10-10T10:07:30.000Z',
    })
    expect(await get('d')).toMatchObject({
      position: 2,
      estimatedCompletionTime: '2025-10-10T10:10:00.000Z',
    })
  })
})

describe('listJobs', () => {
  it('leaves results out, and shows what the app makes of a job instead', async () => {
    const { ports } = setUp()
    const { jobId } = await startJob.run({ ...mine, params: { goal: 'sail' } }, ports)
    await updateStatus.run({ jobId, status: 'PROCESSING' }, ports)
    await updateStatus.run({ jobId, status: 'COMPLETED', result: { large: true } }, ports)
    const summaryOf = ({ params }: { readonly params: unknown }) => (params as { goal: string }).goal
    const { jobs } = await listJobs.run({ userId: 'user-1' }, { ...ports, summaryOf })
    expect(jobs).toMatchObject([{ jobId, status: 'COMPLETED', summary: 'sail' }])
    expect(jobs[0]).not.toHaveProperty('result')
  })

  it('says which statuses there are', async () => {
    const asked = listJobs.run({ userId: 'user-1', status: 'DONE' as never }, setUp().ports)
    await expect(asked).rejects.toThrow('status: must be one of PENDING, PROCESSING, COMPLETED')
  })

  it("lists a user's own jobs by cursor, the newest first", async () => {
    const { ports, pass } = setUp()
    for (let n = 1; n <= 5; n += 1) {
      await startJob.run({ ...mine, jobId: `mine-${n}` }, ports)
      await startJob.run({ ...mine, userId: 'user-2', jobId: `theirs-${n}` }, ports)
      pass(n % 2 === 0 ? 1000 : 0)
    }
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const page = await listJobs.run({ userId: 'user-1', limit: '2', cursor }, ports)
      pages.push(page.jobs.map(job => job.jobId))
      cursor = page.cursor
    } while (cursor)
    expect(pages).toEqual([['mine-5', 'mine-4'], ['mine-3', 'mine-2'], ['mine-1']])
    expect(await listJobs.run({ userId: 'user-3' }, ports)).toEqual({ jobs: [] })
  })

  it('filters by type and status', async () => {
    const { ports } = setUp()
    for (const type of ['A', 'B']) {
      for (const status of ['PENDING', 'FAILED'] as const) {
        const { jobId } = await startJob.run({ ...mine, type, jobId: `${type} ${status}` }, ports)
        if (status === 'FAILED') await updateStatus.run({ jobId, status }, ports)
      }
    }
    const list = async (filter: object): Promise<string[]> =>
      (await listJobs.run({ userId: 'user-1', ...filter }, ports)).jobs.map(job => job.jobId).sort()
    expect(await list({ type: 'A' })).toEqual(['A FAILED', 'A PENDING'])
    expect(await list({ status: 'FAILED' })).toEqual(['A FAILED', 'B FAILED'])
    expect(await list({ status: 'PENDING', type: 'B' })).toEqual(['B PENDING'])
  })

  it.each([
    { cursor: '' },
    { cursor: 'x' },
    { cursor: Buffer.from('[1e99,"a"]').toString('base64url') },
    { cursor: Buffer.from('[1,"\\u0000"]').toString('base64url') },
    { limit: 0 },
    { limit: 101 },
    { status: 'OTHER' as 'FAILED' },
  ])('refuses %j', async given => {
    const { ports } = setUp()
    await expect(listJobs.run({ userId: 'user-1', ...given }, ports)).rejects.toMatchObject({
      name: 'DataValidationError',
    })
  })
})

describe('endStuckJobs', () => {
  async function setUpStuck() {
    const setup = setUp()
    for (const jobId of ['silent', 'alive', 'launched']) {
      await startJob.run({ ...mine, jobId }, setup.ports)
      if (jobId !== 'launched') await updateStatus.run({ jobId, status: 'PROCESSING' }, setup.ports)
    }
    setup.pass(120_000)
    await setup.ports.jobs.beat('alive', 1, 1)
    return setup
  }

  it('ends what is silent, then what takes too long, once each, and counts it', async () => {
    const { ports, context, metrics, pass } = await setUpStuck()
    expect(await endStuckJobs.run({}, ports, context)).toEqual({
      ended: [{ jobId: 'silent', status: 'TIMEOUT' }],
      spared: 1,
    })
    expect(await ports.jobs.find('silent')).toMatchObject({
      status: 'TIMEOUT',
      error: { code: 'TIMEOUT_ERROR', message: 'the processing gave no sign of life' },
    })
    pass(1_680_000)
    await ports.jobs.beat('alive', 1, 2)
    expect(await endStuckJobs.run({}, ports, context)).toEqual({
      ended: [
        { jobId: 'launched', status: 'TIMEOUT' },
        { jobId: 'alive', status: 'TIMEOUT' },
      ],
      spared: 0,
    })
    expect(metrics.filter(metric => metric.startsWith('AsyncProcessingTimeout'))).toHaveLength(3)
    expect(await retryJob.run({ userId: 'user-1', jobId: 'silent' }, ports)).toMatchObject({
      retryCount: 1,
    })
  })

  it('asks the execution what became of the job', async () => {
    const { ports } = await setUpStuck()
    const error = { code: 'ModelRefused', message: 'no' }
    const running = { ...ports, outcomeOf: async () => 'RUNNING' as const }
    expect(await endStuckJobs.run({}, running)).toEqual({ ended: [], spared: 2 })
    const failed = { ...ports, outcomeOf: async () => ({ status: 'FAILED' as const, error }) }
    expect(await endStuckJobs.run({}, failed)).toMatchObject({
      ended: [
        { jobId: 'silent', status: 'FAILED' },
        { jobId: 'launched', status: 'FAILED' },
      ],
    })
    expect(await ports.jobs.find('silent')).toMatchObject({ status: 'FAILED', error })
  })

  it('ends what took too long, though it is silent and its execution runs or is unknown', async () => {
    const { ports, context, pass } = setUp()
    const { jobId: pending } = await startJob.run(mine, { ...ports, capacity: 2 }, context)
    const { jobId: running } = await startJob.run(mine, { ...ports, capacity: 2 }, context)
    await updateStatus.run({ jobId: running, status: 'PROCESSING' }, ports)
    const asked = {
      ...ports,
      outcomeOf: async ({ status }: Job) => (status === 'PROCESSING' ? ('RUNNING' as const) : undefined),
    }
    pass(1_799_999)
    expect(await endStuckJobs.run({}, asked)).toEqual({ ended: [], spared: 2 })
    pass(1)
    expect(await endStuckJobs.run({}, asked)).toEqual({
      ended: [
        { jobId: running, status: 'TIMEOUT' },
        { jobId: pending, status: 'TIMEOUT' },
      ],
      spared: 0,
    })
    expect((await ports.jobs.find(running))?.error?.message).toBe('the processing took longer than its limit')
  })

  it('ends the others when an execution cannot be asked, and that one when it took too long', async () => {
    const { ports, pass } = await setUpStuck()
    pass(120_000)
    const asked = {
      ...ports,
      outcomeOf: ({ id }: Job) =>
        id === 'silent' ? Promise.reject(new ThrottlingException('slow')) : Promise.resolve(undefined),
    }
    expect(await endStuckJobs.run({}, asked)).toEqual({
      ended: [{ jobId: 'alive', status: 'TIMEOUT' }],
      spared: 2,
    })
    pass(1_560_000)
    expect((await endStuckJobs.run({}, asked)).ended.map(({ jobId }) => jobId)).toContain('silent')
  })

  it('ends a job that never began although it was launched, if its execution has ended', async () => {
    const { ports, context, pass } = setUp()
    const { jobId } = await startJob.run(mine, { ...ports, capacity: 1 }, context)
    pass(121_000)
    expect(await endStuckJobs.run({}, ports)).toEqual({ ended: [], spared: 1 })
    const missing = { ...ports, outcomeOf: async () => undefined }
    expect(await endStuckJobs.run({}, missing)).toEqual({ ended: [], spared: 1 })
    const failed = { ...ports, outcomeOf: async () => ({ status: 'FAILED' as const }) }
    expect(await endStuckJobs.run({}, failed)).toEqual({
      ended: [{ jobId, status: 'FAILED' }],
      spared: 0,
    })
  })

  it('spares a worker that gives a sign of life in the last moment', async () => {
    const { ports } = await setUpStuck()
    const late = {
      ...ports,
      outcomeOf: async () => {
        await ports.jobs.beat('silent', 1, 60)
        return undefined
      },
    }
    expect(await endStuckJobs.run({}, late)).toEqual({ ended: [], spared: 2 })
    expect(await ports.jobs.find('silent')).toMatchObject({ status: 'PROCESSING', progress: 60 })
  })
})

describe('every handler', () => {
  it.each([
    cancelJob,
    endStuckJobs,
    getJob,
    listJobs,
    purgeJobs,
    retryJob,
    startJob,
    updateStatus,
    watchJobs,
  ])('$name says what it does and needs, and announces no error but those of progressTaskErrors', task => {
    expect(task.description).toMatch(/\.$/)
    expect(task.needs?.ports).toHaveProperty('jobs')
    expect(progressTaskErrors).toEqual(expect.arrayContaining([...task.errors]))
  })
})

describe('any task', () => {
  it.each(['', 'a\0b', '\ud800', 'x'.repeat(257)])(
    'refuses %j as an id before the store sees it',
    async jobId => {
      const { ports } = setUp()
      await expect(getJob.run({ userId: 'user-1', jobId }, ports)).rejects.toMatchObject({
        name: 'DataValidationError',
      })
    },
  )
})

describe('retryJob', () => {
  it('refuses a job whose retry failed, and names the retry: that one can be tried again', async () => {
    const setup = setUp()
    const jobId = await failedJob(setup)
    const input = { userId: 'user-1', jobId }
    const retry = await retryJob.run(input, setup.ports)
    await updateStatus.run({ jobId: retry.jobId, status: 'FAILED' }, setup.ports)
    await expect(retryJob.run(input, setup.ports)).rejects.toMatchObject({
      name: 'RetryRefusedError',
      code: 'ALREADY_RETRIED',
      httpStatus: 409,
      details: { retriedBy: retry.jobId, status: 'FAILED' },
    })
    const second = await retryJob.run({ ...input, jobId: retry.jobId }, setup.ports)
    expect(second).toMatchObject({ status: 'PENDING', retryCount: 2 })
  })

  it('answers with the retry that is completed', async () => {
    const setup = setUp()
    const jobId = await failedJob(setup)
    const retry = await retryJob.run({ userId: 'user-1', jobId }, setup.ports)
    await updateStatus.run({ jobId: retry.jobId, status: 'PROCESSING' }, setup.ports)
    await updateStatus.run({ jobId: retry.jobId, status: 'COMPLETED', result: 1 }, setup.ports)
    expect(await retryJob.run({ userId: 'user-1', jobId }, setup.ports)).toMatchObject({
      jobId: retry.jobId,
      status: 'COMPLETED',
    })
  })

  it('starts a new job with the same work', async () => {
    const setup = setUp()
    const jobId = await failedJob(setup)
    const retry = await retryJob.run({ userId: 'user-1', jobId }, setup.ports, setup.context)
    expect(retry).toMatchObject({ status: 'PENDING', retryCount: 1, targetId: 't' })
    expect(retry.jobId).not.toBe(jobId)
    expect(setup.launched.map(job => job.params)).toEqual([{ goal: 7 }, { goal: 7 }])
    expect(await setup.ports.jobs.find(jobId)).toMatchObject({ status: 'FAILED' })
  })

  it('gives the same retry however often it is asked', async () => {
    const setup = setUp()
    const input = { userId: 'user-1', jobId: await failedJob(setup) }
    const retries = await Promise.all([1, 2, 3].map(() => retryJob.run(input, setup.ports, setup.context)))
    expect(new Set(retries.map(retry => retry.jobId)).size).toBe(1)
    expect(setup.metrics.filter(metric => metric.startsWith('AsyncProcessingStarted'))).toHaveLength(2)
  })

  it('shows and starts nothing of somebody who took the id of the retry', async () => {
    const setup = setUp()
    const jobId = await failedJob(setup)
    await startJob.run({ ...mine, userId: 'eve', jobId: toRetryId(jobId) }, setup.ports)
    const launches = setup.launched.length
    await expect(retryJob.run({ userId: 'user-1', jobId }, setup.ports)).rejects.toMatchObject({
      name: 'ForbiddenError',
    })
    expect(setup.launched).toHaveLength(launches)
  })

  it('does not fail with what keeps the job of another from being launched', async () => {
    const { ports, context } = setUp()
    const launcher = {
      async launch({ userId }: Job) {
        if (userId === 'eve') throw new ThrottlingException('of eve')
      },
    }
    const limited = { ...ports, launcher, capacity: 5 }
    const { jobId } = await startJob.run(mine, limited, context)
    await updateStatus.run({ jobId, status: 'FAILED' }, ports)
    await startJob.run({ ...mine, userId: 'eve' }, { ...limited, capacity: 0 }, context)
    const retry = await retryJob.run({ userId: 'user-1', jobId }, limited, context)
    expect(retry).toMatchObject({ status: 'PENDING', retryCount: 1 })
  })

  it('allows as many retries as it is told', async () => {
    const set = setUp()
    const jobId = await failedJob(set)
    const asked = retryJob.run({ userId: 'user-1', jobId }, { ...set.ports, maxRetries: 0 })
    await expect(asked).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  })

  it('allows three retries in a row', async () => {
    const setup = setUp()
    let jobId = await failedJob(setup)
    for (let retryCount = 1; retryCount <= 3; retryCount += 1) {
      const retry = await retryJob.run({ userId: 'user-1', jobId }, setup.ports)
      expect(retry.retryCount).toBe(retryCount)
      jobId = retry.jobId
      await updateStatus.run({ jobId, status: 'TIMEOUT' }, setup.ports)
    }
    await expect(retryJob.run({ userId: 'user-1', jobId }, setup.ports)).rejects.toMatchObject({
      name: 'RetryRefusedError',
      code: 'LIMIT_REACHED',
    })
  })

  it.each(['PENDING', 'PROCESSING', 'COMPLETED'])('refuses a job that is %s', async status => {
    const { ports } = setUp()
    const { jobId } = await startJob.run(mine, ports)
    if (status !== 'PENDING') await updateStatus.run({ jobId, status: 'PROCESSING' }, ports)
    if (status === 'COMPLETED') await updateStatus.run({ jobId, status }, ports)
    await expect(retryJob.run({ userId: 'user-1', jobId }, ports)).rejects.toMatchObject({
      name: 'RetryRefusedError',
      code: 'NOT_FAILED',
      details: { status },
    })
  })
})

describe('cancelJob', () => {
  it('cancels once, and nothing that has ended', async () => {
    const { ports } = setUp()
    const { jobId } = await startJob.run(mine, ports)
    const input = { userId: 'user-1', jobId }
    expect(await cancelJob.run(input, ports)).toMatchObject({ status: 'CANCELLED' })
    expect(await cancelJob.run(input, ports)).toMatchObject({ status: 'CANCELLED' })
    const failed = await startJob.run(mine, ports)
    await updateStatus.run({ jobId: failed.jobId, status: 'FAILED' }, ports)
    await expect(cancelJob.run({ ...input, jobId: failed.jobId }, ports)).rejects.toMatchObject({
      name: 'IllegalTransitionError',
    })
  })
})

describe('watchJobs', () => {
  it('finds nothing wrong with a job that waits for a worker, however long, and ends none', async () => {
    const { ports, context, pass } = setUp()
    const limited = { ...ports, capacity: 1 }
    await startJob.run({ ...mine, jobId: 'running' }, limited)
    await startJob.run({ ...mine, jobId: 'waiting' }, limited)
    await updateStatus.run({ jobId: 'running', status: 'PROCESSING' }, ports)
    pass(86_400_000)
    await ports.jobs.end('running', { status: 'FAILED' })
    expect(await watchJobs.run({}, ports, context)).toMatchObject({ queueDepth: 1, stale: [] })
    expect(await endStuckJobs.run({}, ports, context)).toEqual({ ended: [], spared: 0 })
    expect(await ports.jobs.find('waiting')).toMatchObject({ status: 'PENDING' })
  })

  it('finds silent workers and jobs that take over half an hour, once each', async () => {
    const { ports, context, metrics, pass } = setUp()
    for (const jobId of ['silent', 'alive', 'long', 'launched']) {
      await startJob.run({ ...mine, jobId }, ports)
      if (jobId !== 'launched') await updateStatus.run({ jobId, status: 'PROCESSING' }, ports)
    }
    pass(120_000)
    for (const id of ['alive', 'long']) await ports.jobs.beat(id, 1, 1)
    const early = await watchJobs.run({}, ports, context)
    expect(early).toMatchObject({
      queueDepth: 1,
      stale: [{ jobId: 'silent', heartbeatAgeSeconds: 120, inStatusSeconds: 120 }, { jobId: 'launched' }],
    })
    await updateStatus.run({ jobId: 'alive', status: 'COMPLETED' }, ports)
    pass(1_680_000)
    await ports.jobs.beat('long', 1, 2)
    const late = await watchJobs.run({}, ports, context)
    expect(late.stale.map(job => job.jobId)).toEqual(['silent', 'launched', 'long'])
    expect(metrics).toEqual([
      'QueueDepth 1 Count',
      'StaleJobs 2 Count',
      'QueueDepth 1 Count',
      'StaleJobs 3 Count',
    ])
  })
})

describe('purgeJobs', () => {
  it('deletes what ended and is older than 90 days, in batches', async () => {
    const setup = setUp()
    for (let n = 0; n < 5; n += 1) await failedJob(setup)
    setup.pass(90 * 86_400_000 - 1)
    expect(await purgeJobs.run({}, setup.ports)).toEqual({ deleted: 0 })
    setup.pass(1)
    expect(await purgeJobs.run({ batchSize: 2 }, setup.ports)).toEqual({ deleted: 5 })
  })
})
