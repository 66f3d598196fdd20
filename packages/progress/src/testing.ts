import { type TestRunner, testRunner } from '@stepwright/task/testing'
import type { Job, ListedJob, NewJob } from './job.ts'
import type { ChangeOutcome, JobStore } from './job-store.ts'
import { type JobStoreUnderTest, testJobQueue } from './test-job-queue.ts'

export type { JobStoreUnderTest } from './test-job-queue.ts'
export { type JobWorkflowUnderTest, testJobWorkflow } from './test-job-workflow.ts'

/** The promises of a `JobStore`. `create` gets the clock that the store must use, and gives an empty store. */
export function testJobStore(
  name: string,
  create: (now: () => number) => Promise<JobStoreUnderTest>,
  runner: TestRunner = testRunner,
): void {
  testJobQueue(name, create, runner)
  const { afterAll, beforeEach, describe, expect, it } = runner
  describe(`${name} keeps the promises of a JobStore`, () => {
    let clock = 0
    let jobs: JobStore
    const opened: JobStoreUnderTest[] = []
    beforeEach(async () => {
      clock = Date.parse('2025-10-10T10:00:00Z')
      const under = await create(() => clock)
      opened.push(under)
      jobs = under.store
    })
    afterAll(async () => {
      for (const under of opened) await under.close?.()
    })

    const newJob = (given: Partial<NewJob> = {}): NewJob => ({
      id: 'job-1',
      userId: 'user-1',
      type: 'SUBGOAL_GENERATION',
      targetId: null,
      params: { goal: '目標' },
      retryCount: 0,
      ...given,
    })
    const at = (seconds: number): Date => new Date(Date.parse('2025-10-10T10:00:00Z') + seconds * 1000)
    const started = async (given: Partial<NewJob> = {}): Promise<Job> => {
      const { job } = await jobs.insert(newJob(given))
      return applied(await jobs.begin(job.id, { silentForMs: 0 }))
    }

    it('inserts a pending job once', async () => {
      const { job, created } = await jobs.insert(newJob({ targetId: 'goal-7', retryCount: 2 }))
      expect(created).toBe(true)
      expect(job).toEqual({
        id: 'job-1',
        userId: 'user-1',
        type: 'SUBGOAL_GENERATION',
        status: 'PENDING',
        targetId: 'goal-7',
        progress: 0,
        params: { goal: '目標' },
        result: null,
        error: null,
        retryCount: 2,
        retryOf: null,
        priority: 0,
        payloadKey: null,
        version: 0,
        attempt: 0,
        createdAt: at(0),
        updatedAt: at(0),
        completedAt: null,
        enteredAt: at(0),
        startedAt: null,
        heartbeatAt: at(0),
        launchedAt: null,
        workerUntil: null,
      })
      clock += 1000
      expect(await jobs.insert(newJob({ userId: 'user-2' }))).toEqual({ job, created: false })
      expect(await jobs.find('job-1')).toEqual(job)
    })

    it('gives one of many simultaneous inserts the id', async () => {
      const inserts = await Promise.all(
        Array.from({ length: 8 }, (_, n) => jobs.insert(newJob({ userId: `user-${n}` }))),
      )
      expect(inserts.filter(insert => insert.created)).toHaveLength(1)
      expect(new Set(inserts.map(insert => insert.job.userId)).size).toBe(1)
    })

    it('keeps params and results of any JSON', async () => {
      for (const [index, value] of [[1, [2]], 'text', 0, false, { a: null, é: '😀' }].entries()) {
        const { job } = await jobs.insert(newJob({ id: `job-${index}`, params: value }))
        await jobs.begin(job.id, { silentForMs: 0 })
        const ended = applied(await jobs.end(job.id, { status: 'COMPLETED', result: value }))
        expect([ended.params, ended.result]).toEqual([value, value])
      }
    })

    it('replaces characters that databases refuse', async () => {
      const { job } = await jobs.insert(newJob({ params: 'a\0b' }))
      await jobs.begin(job.id, { silentForMs: 0 })
      const error = { code: 'X', message: 'half \ud83d' }
      const ended = applied(await jobs.end(job.id, { status: 'FAILED', result: ['\0'], error }))
      expect([ended.params, ended.result, ended.error]).toEqual([
        'a\ufffdb',
        ['\ufffd'],
        { code: 'X', message: 'half \ufffd' },
      ])
    })

    it('knows nothing of a job that does not exist', async () => {
      expect(await jobs.find('nobody')).toBeUndefined()
      expect(await jobs.begin('nobody', { silentForMs: 0 })).toEqual({ applied: false, job: undefined })
      expect(await jobs.beat('nobody', 1, 5)).toEqual({ applied: false, job: undefined })
      expect(await jobs.end('nobody', { status: 'FAILED' })).toEqual({ applied: false, job: undefined })
    })

    it('counts attempts and starts each with progress 0', async () => {
      await jobs.insert(newJob())
      clock += 1000
      expect(applied(await jobs.begin('job-1', { silentForMs: 0 }))).toMatchObject({
        status: 'PROCESSING',
        attempt: 1,
        startedAt: at(1),
        enteredAt: at(1),
        updatedAt: at(1),
      })
      await jobs.beat('job-1', 1, 40)
      clock += 1000
      expect(applied(await jobs.begin('job-1', { silentForMs: 0 }))).toMatchObject({
        attempt: 2,
        progress: 0,
        startedAt: at(2),
        enteredAt: at(1),
      })
    })

    it('gives simultaneous workers different attempts', async () => {
      await jobs.insert(newJob())
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => jobs.begin('job-1', { silentForMs: 0 })),
      )
      expect(outcomes.map(outcome => applied(outcome).attempt).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    })

    it('takes a job over only from a worker that is silent', async () => {
      await started()
      clock += 30_000
      const current = applied(await jobs.beat('job-1', 1, 40))
      clock += 29_999
      expect(await jobs.begin('job-1', { silentForMs: 30_000 })).toEqual({ applied: false, job: current })
      clock += 1
      expect(applied(await jobs.begin('job-1', { silentForMs: 30_000 }))).toMatchObject({ attempt: 2 })
      await jobs.insert(newJob({ id: 'pending' }))
      expect(applied(await jobs.begin('pending', { silentForMs: 30_000 }))).toMatchObject({ attempt: 1 })
    })

    it('lets one of many take a silent job over', async () => {
      await started()
      clock += 30_000
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => jobs.begin('job-1', { silentForMs: 30_000 })),
      )
      expect(outcomes.filter(outcome => outcome.applied)).toHaveLength(1)
      expect(await jobs.find('job-1')).toMatchObject({ attempt: 2 })
    })

    it('ends only what is silent, if it is told so', async () => {
      await started()
      clock += 30_000
      const current = applied(await jobs.beat('job-1', 1, 40))
      const end = { status: 'TIMEOUT', attempt: 1, silentForMs: 30_000 } as const
      clock += 29_999
      expect(await jobs.end('job-1', end)).toEqual({ applied: false, job: current })
      clock += 1
      expect(applied(await jobs.end('job-1', end))).toMatchObject({ status: 'TIMEOUT' })
    })

    it('takes a report that is no number for a mere sign of life, and whole percentages', async () => {
      await started()
      await jobs.beat('job-1', 1, 40)
      clock += 1000
      for (const report of [Number.NaN, Number.NEGATIVE_INFINITY, -5, 1.5, Number('x')]) {
        expect(applied(await jobs.beat('job-1', 1, report))).toMatchObject({
          progress: 40,
          heartbeatAt: at(1),
        })
      }
      expect(applied(await jobs.beat('job-1', 1, 41.9))).toMatchObject({ progress: 41 })
      expect(applied(await jobs.beat('job-1', 1, Number.POSITIVE_INFINITY))).toMatchObject({ progress: 99 })
    })

    it('never lets progress go back, nor reach 100 before the end', async () => {
      await started()
      clock += 1000
      expect(applied(await jobs.beat('job-1', 1, 50))).toMatchObject({ progress: 50, updatedAt: at(1) })
      clock += 1000
      expect(applied(await jobs.beat('job-1', 1, 30))).toMatchObject({
        progress: 50,
        updatedAt: at(1),
        heartbeatAt: at(2),
      })
      expect(applied(await jobs.beat('job-1', 1, 100))).toMatchObject({ progress: 99 })
      expect(applied(await jobs.end('job-1', { status: 'COMPLETED' }))).toMatchObject({ progress: 100 })
    })

    it('keeps the highest of simultaneous reports', async () => {
      await started()
      await Promise.all([10, 70, 30, 90, 50].map(progress => jobs.beat('job-1', 1, progress)))
      expect(await jobs.find('job-1')).toMatchObject({ progress: 90 })
    })

    it('refuses every write of an attempt that was taken over', async () => {
      await started()
      await jobs.begin('job-1', { silentForMs: 0 })
      const current = await jobs.find('job-1')
      expect(await jobs.beat('job-1', 1, 80)).toEqual({ applied: false, job: current })
      expect(await jobs.end('job-1', { status: 'COMPLETED', attempt: 1, result: 'late' })).toEqual({
        applied: false,
        job: current,
      })
      expect(applied(await jobs.end('job-1', { status: 'COMPLETED', attempt: 2 }))).toMatchObject({
        status: 'COMPLETED',
      })
    })

    it.each(['COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED'] as const)('leaves %s never', async status => {
      await started()
      clock += 1000
      const error = status === 'COMPLETED' ? null : { code: 'X', message: 'y' }
      const ended = applied(await jobs.end('job-1', { status, attempt: 1, error }))
      expect(ended).toMatchObject({ status, error, completedAt: at(1), enteredAt: at(1), heartbeatAt: at(1) })
      clock += 1000
      expect(await jobs.begin('job-1', { silentForMs: 0 })).toEqual({ applied: false, job: ended })
      expect(await jobs.beat('job-1', 1, 99)).toEqual({ applied: false, job: ended })
      for (const other of ['COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED'] as const) {
        expect(await jobs.end('job-1', { status: other })).toEqual({ applied: false, job: ended })
      }
    })

    it('lets one of a simultaneous cancellation and completion win', async () => {
      for (let round = 0; round < 20; round += 1) {
        const { id } = await started({ id: `race-${round}` })
        const outcomes = await Promise.all([
          jobs.end(id, { status: 'CANCELLED' }),
          jobs.end(id, { status: 'COMPLETED', attempt: 1 }),
          jobs.end(id, { status: 'FAILED', attempt: 1 }),
        ])
        const winners = outcomes.filter(outcome => outcome.applied)
        expect(winners).toHaveLength(1)
        expect(await jobs.find(id)).toEqual(winners[0]?.job)
      }
    })

    it('ends a pending job, but never completes it', async () => {
      await jobs.insert(newJob())
      expect(await jobs.end('job-1', { status: 'COMPLETED' })).toMatchObject({ applied: false })
      expect(applied(await jobs.end('job-1', { status: 'CANCELLED' }))).toMatchObject({ progress: 0 })
    })

    it('finds silent jobs and jobs that keep a status for too long', async () => {
      await started({ id: 'silent' })
      await started({ id: 'alive' })
      await jobs.insert(newJob({ id: 'waiting', type: 'TASK_GENERATION' }))
      clock += 60_000
      await jobs.beat('alive', 1, 10)
      await started({ id: 'new' })
      const ids = async (query: Parameters<JobStore['findStale']>[0]): Promise<string[]> =>
        (await jobs.findStale(query)).map(job => job.id)
      expect(await ids({ status: 'PROCESSING', silentForMs: 60_000, limit: 10 })).toEqual(['silent'])
      expect(await ids({ status: 'PROCESSING', inStatusForMs: 60_000, limit: 10 })).toEqual([
        'silent',
        'alive',
      ])
      expect(await ids({ status: 'PROCESSING', limit: 1 })).toEqual(['silent'])
      expect(await ids({ status: 'PROCESSING', silentForMs: 60_001, limit: 10 })).toEqual([])
      expect(await ids({ status: 'PENDING', silentForMs: 60_000, limit: 10 })).toEqual(['waiting'])
      expect(await ids({ status: 'PENDING', type: 'ACTION_GENERATION', limit: 10 })).toEqual([])
      expect(await ids({ status: 'PENDING', launched: true, limit: 10 })).toEqual([])
      await jobs.admit({ maxRunning: 9, relaunchAfterMs: 60_000, agingMs: 60_000 })
      expect(await ids({ status: 'PENDING', launched: true, limit: 10 })).toEqual(['waiting'])
    })

    it("lists a user's jobs page by page, the newest first", async () => {
      for (let n = 0; n < 6; n += 1) {
        await jobs.insert(newJob({ id: `job-${n}` }))
        // Two of each time.
        clock += n % 2 === 1 ? 1000 : 0
      }
      await jobs.insert(newJob({ id: 'foreign', userId: 'user-2' }))
      const pages: string[][] = []
      let after: ListedJob | undefined
      do {
        const page = await jobs.listByUser('user-1', { limit: 3, after })
        pages.push(page.map(job => job.id))
        after = page.at(-1)
      } while (after)
      expect(pages).toEqual([['job-5', 'job-4', 'job-3'], ['job-2', 'job-1', 'job-0'], []])
    })

    it("lists a user's jobs by type and status", async () => {
      for (const type of ['A', 'B']) {
        await jobs.insert(newJob({ id: `${type} waits`, type }))
        await started({ id: `${type} runs`, type })
      }
      const ids = async (filter: object): Promise<string[]> =>
        (await jobs.listByUser('user-1', { limit: 10, ...filter })).map(job => job.id).sort()
      expect(await ids({ type: 'A' })).toEqual(['A runs', 'A waits'])
      expect(await ids({ status: 'PROCESSING' })).toEqual(['A runs', 'B runs'])
      expect(await ids({ status: 'PENDING', type: 'B' })).toEqual(['B waits'])
    })

    it('counts by status and type', async () => {
      await jobs.insert(newJob({ id: 'a' }))
      await jobs.insert(newJob({ id: 'b', type: 'TASK_GENERATION' }))
      await started({ id: 'c' })
      expect(await jobs.count('PENDING')).toBe(2)
      expect(await jobs.count('PENDING', 'TASK_GENERATION')).toBe(1)
      expect(await jobs.count('FAILED')).toBe(0)
    })

    it('keeps progress in a new attempt where that is asked for', async () => {
      await started()
      await jobs.beat('job-1', 1, 40)
      const kept = await jobs.begin('job-1', { silentForMs: 0, keepsProgress: true })
      expect(applied(kept)).toMatchObject({ attempt: 2, progress: 40 })
    })

    it('keeps parts with their progress, each once, of the current attempt only', async () => {
      await started()
      clock += 1000
      const first = applied(await jobs.keepPart('job-1', 1, { part: 3, value: ['\0'] }, 12.5))
      expect(first).toMatchObject({ progress: 12, updatedAt: at(1), heartbeatAt: at(1) })
      const again = applied(await jobs.keepPart('job-1', 1, { part: 3, value: 'other' }, 10))
      await jobs.keepPart('job-1', 1, { part: 0, value: null }, 25)
      expect(await jobs.listParts('job-1')).toEqual([
        { part: 3, value: ['\ufffd'], version: first.version, progress: 12 },
        { part: 0, value: null, version: again.version + 1, progress: 25 },
      ])
      expect(await jobs.listParts('job-1', { version: first.version, part: 3 })).toHaveLength(1)
      expect(await jobs.listParts('job-1', { version: first.version, part: 2 })).toHaveLength(2)
      await jobs.begin('job-1', { silentForMs: 0 })
      expect(await jobs.keepPart('job-1', 1, { part: 5, value: 1 }, 99)).toMatchObject({ applied: false })
      await jobs.end('job-1', { status: 'CANCELLED' })
      expect(await jobs.keepPart('job-1', 2, { part: 5, value: 1 }, 99)).toMatchObject({ applied: false })
      expect(await jobs.listParts('job-1')).toHaveLength(2)
      expect(await jobs.keepPart('nobody', 1, { part: 0, value: 1 }, 1)).toEqual({
        applied: false,
        job: undefined,
      })
    })

    it('gives a retry the parts of what it tries again, once', async () => {
      await started({ id: 'first' })
      for (const part of [2, 0]) await jobs.keepPart('first', 1, { part, value: `part ${part}` }, 50)
      const { version } = await started({ id: 'second', retryOf: 'first' })
      await jobs.adoptParts('second')
      await jobs.adoptParts('second')
      const adopted = [0, 2].map(part => ({
        part,
        value: `part ${part}`,
        version: version + 1,
        progress: 50,
      }))
      expect(await jobs.listParts('second')).toEqual(adopted)
      expect(await jobs.find('second')).toMatchObject({ progress: 50 })
      await jobs.keepPart('second', 1, { part: 1, value: 'part 1' }, 75)
      await jobs.adoptParts('first')
      expect(await jobs.listParts('first')).toHaveLength(2)
    })

    it('counts a version with each change that can be seen', async () => {
      const versions: number[] = []
      const note = ({ job }: ChangeOutcome): void => void versions.push(job?.version ?? -1)
      versions.push((await jobs.insert(newJob())).job.version)
      note(await jobs.begin('job-1', { silentForMs: 0 }))
      note(await jobs.beat('job-1', 1, 10))
      note(await jobs.beat('job-1', 1, 10))
      note(await jobs.keepPart('job-1', 1, { part: 0, value: 1 }, 10))
      note(await jobs.end('job-1', { status: 'COMPLETED' }))
      expect(versions).toEqual([0, 1, 2, 2, 3, 4])
      expect(await jobs.findVersions(['job-1', 'nobody'])).toEqual(new Map([['job-1', 4]]))
      expect(await jobs.findVersions([])).toEqual(new Map())
    })

    it('admits jobs by priority, then by age, as far as the capacity goes', async () => {
      for (const [id, priority] of [
        ['a', 0],
        ['b', 5],
        ['c', 0],
        ['d', 5],
        ['e', 0],
      ] as const) {
        await jobs.insert(newJob({ id, priority }))
        clock += 1
      }
      const admit = async (maxRunning: number): Promise<string[]> =>
        (await jobs.admit({ maxRunning, relaunchAfterMs: 60_000, agingMs: 60_000 })).map(job => job.id)
      expect(await admit(3)).toEqual(['b', 'd', 'a'])
      expect(await jobs.find('a')).toMatchObject({
        launchedAt: new Date(clock),
        heartbeatAt: new Date(clock),
      })
      expect(await admit(3)).toEqual([])
      await jobs.begin('b', { silentForMs: 0 })
      expect(await admit(3)).toEqual([])
      await jobs.end('b', { status: 'FAILED' })
      expect(await admit(3)).toEqual(['c'])
      // Their launches were lost, or they would have begun.
      clock += 60_000
      expect(await admit(3)).toEqual(['d', 'a', 'c'])
      expect((await jobs.find('a'))?.heartbeatAt).toEqual(new Date(clock - 60_000))
      await jobs.end('e', { status: 'CANCELLED' })
      expect(await admit(10)).toEqual([])
    })

    it('lists jobs without their results', async () => {
      await started({ params: { goal: 'kept' } })
      await jobs.end('job-1', { status: 'COMPLETED', result: { large: true } })
      const [listed] = await jobs.listByUser('user-1', { limit: 1 })
      expect(listed).toMatchObject({ id: 'job-1', status: 'COMPLETED', params: { goal: 'kept' } })
      expect(listed).not.toHaveProperty('result')
    })

    it('finds an open job with a key as long as none is completed, the newest first', async () => {
      for (const id of ['failed', 'running', 'waiting', 'foreign']) {
        await jobs.insert(newJob({ id, payloadKey: 'same', userId: id === 'foreign' ? 'user-2' : 'user-1' }))
        clock += 1
      }
      await jobs.end('failed', { status: 'FAILED' })
      await jobs.begin('running', { silentForMs: 0 })
      expect((await jobs.findReusable('user-1', 'same'))?.id).toBe('waiting')
      await jobs.end('waiting', { status: 'CANCELLED' })
      expect((await jobs.findReusable('user-1', 'same'))?.id).toBe('running')
      await jobs.end('running', { status: 'COMPLETED' })
      await jobs.insert(newJob({ id: 'later', payloadKey: 'same' }))
      expect((await jobs.findReusable('user-1', 'same'))?.id).toBe('running')
    })

    it("finds the user's newest completed job with a key", async () => {
      for (const [id, userId, status] of [
        ['old', 'user-1', 'COMPLETED'],
        ['new', 'user-1', 'COMPLETED'],
        ['failed', 'user-1', 'FAILED'],
        ['foreign', 'user-2', 'COMPLETED'],
      ] as const) {
        await started({ id, userId, payloadKey: 'same' })
        await jobs.end(id, { status })
        clock += 1
      }
      expect((await jobs.findReusable('user-1', 'same'))?.id).toBe('new')
      expect(await jobs.findReusable('user-1', 'other')).toBeUndefined()
    })

    it('purges old jobs that have ended, a few at a time', async () => {
      for (const id of ['a', 'b', 'c']) {
        await started({ id })
        await jobs.end(id, { status: 'FAILED' })
      }
      await started({ id: 'running' })
      clock += 1000
      await started({ id: 'younger' })
      await jobs.end('younger', { status: 'COMPLETED' })
      expect(await jobs.purge(1000, 2)).toBe(2)
      expect(await jobs.purge(1000, 2)).toBe(1)
      expect(await jobs.purge(1000, 2)).toBe(0)
      expect(await jobs.find('running')).toBeDefined()
      expect(await jobs.find('younger')).toBeDefined()
    })
  })
}

function applied({ applied, job }: ChangeOutcome): Job {
  if (!applied) throw new Error('the change was not applied')
  return job as Job
}
