import { type TestRunner, testRunner } from '@stepwright/task/testing'
import type { NewJob } from './job.ts'
import type { JobStore } from './job-store.ts'

export interface JobStoreUnderTest {
  readonly store: JobStore
  readonly close?: () => Promise<void>
}

/** The promises of a `JobStore` about who may run, and who is next. */
export function testJobQueue(
  name: string,
  create: (now: () => number) => Promise<JobStoreUnderTest>,
  runner: TestRunner = testRunner,
): void {
  const { afterAll, beforeEach, describe, expect, it } = runner
  describe(`${name} keeps the promises of a JobStore about its queue`, () => {
    const start = Date.parse('2025-10-10T10:00:00Z')
    const rules = { relaunchAfterMs: 60_000, agingMs: 60_000 }
    let clock = 0
    let jobs: JobStore
    const opened: JobStoreUnderTest[] = []
    beforeEach(async () => {
      clock = start
      const under = await create(() => clock)
      opened.push(under)
      jobs = under.store
    })
    afterAll(async () => {
      for (const under of opened) await under.close?.()
    })

    /** Each a millisecond after the one before. */
    const insert = async (id: string, userId: string, more: Partial<NewJob> = {}): Promise<void> => {
      await jobs.insert({ id, userId, type: 'T', targetId: null, params: null, retryCount: 0, ...more })
      clock += 1
    }
    const admit = async (maxRunning: number): Promise<string[]> =>
      (await jobs.admit({ ...rules, maxRunning })).map(({ id }) => id)
    const begin = (id: string) => jobs.begin(id, { silentForMs: 0 })

    it('lets users take turns, whoever has the most jobs or the highest priority', async () => {
      for (const n of [1, 2, 3, 4]) await insert(`greedy-${n}`, 'greedy', { priority: 9 })
      await insert('ann-1', 'ann')
      await insert('ann-2', 'ann')
      await insert('bob-1', 'bob', { priority: 1 })
      expect(await admit(10)).toEqual([
        'greedy-1',
        'bob-1',
        'ann-1',
        'greedy-2',
        'ann-2',
        'greedy-3',
        'greedy-4',
      ])
    })

    it('counts the jobs of a user that run as turns taken', async () => {
      for (const n of [1, 2]) await insert(`greedy-${n}`, 'greedy')
      expect(await admit(2)).toEqual(['greedy-1', 'greedy-2'])
      for (const n of [3, 4]) await insert(`greedy-${n}`, 'greedy')
      for (const n of [1, 2, 3]) await insert(`ann-${n}`, 'ann')
      await begin('greedy-1')
      expect(await admit(5)).toEqual(['ann-1', 'ann-2', 'ann-3'])
    })

    it('serves the user next who was served longest ago, however many jobs another has had for how long', async () => {
      for (const n of [1, 2, 3]) await insert(`greedy-${n}`, 'greedy')
      clock += 600_000
      await insert('ann-1', 'ann')
      await insert('ann-2', 'ann')
      await insert('bob-1', 'bob')
      const order: string[] = []
      for (;;) {
        const [id] = await admit(1)
        if (id === undefined) break
        order.push(id)
        clock += 10
        await jobs.end(id, { status: 'FAILED' })
      }
      expect(order).toEqual(['greedy-1', 'ann-1', 'bob-1', 'greedy-2', 'ann-2', 'greedy-3'])
    })

    it('lets the priority of a job grow while it waits', async () => {
      await insert('old', 'ann', { priority: 1 })
      clock += 120_000
      await insert('young', 'ann', { priority: 3 })
      expect(await jobs.findPlace('old', rules)).toBe(1)
      await insert('urgent', 'ann', { priority: 4 })
      expect(await admit(3)).toEqual(['urgent', 'old', 'young'])
    })

    it('counts a job that was launched at once as running', async () => {
      await insert('a', 'ann', { launched: true })
      expect((await jobs.find('a'))?.launchedAt).toEqual(new Date(start))
      expect(await jobs.findPlace('a', rules)).toBe(undefined)
      await insert('b', 'ann')
      expect(await admit(1)).toEqual([])
      expect(await admit(2)).toEqual(['b'])
    })

    it('admits no more at once than asked for', async () => {
      for (const id of ['a', 'b', 'c']) await insert(id, 'ann')
      const two = await jobs.admit({ ...rules, maxRunning: 10, limit: 2 })
      expect(two.map(({ id }) => id)).toEqual(['a', 'b'])
      expect(await jobs.admit({ ...rules, maxRunning: 10, limit: 0 })).toEqual([])
    })

    it('says which in the queue a job is', async () => {
      for (const id of ['a', 'b', 'c']) await insert(id, 'ann')
      await insert('d', 'bob')
      expect(await admit(1)).toEqual(['a'])
      const places = await Promise.all(['a', 'b', 'c', 'd', 'nobody'].map(id => jobs.findPlace(id, rules)))
      expect(places).toEqual([undefined, 2, 3, 1, undefined])
    })

    it('counts a job that has ended as running until its worker has stopped', async () => {
      for (const id of ['a', 'b']) await insert(id, 'ann')
      await admit(1)
      await begin('a')
      await jobs.occupy('a', 1, 300_000)
      expect(await jobs.countQueue()).toEqual({ waiting: 1, lingering: 0 })
      await jobs.end('a', { status: 'CANCELLED' })
      expect(await jobs.countQueue()).toEqual({ waiting: 1, lingering: 1 })
      expect(await admit(1)).toEqual([])
      await jobs.release('a', 1)
      expect(await jobs.countQueue()).toEqual({ waiting: 1, lingering: 0 })
      expect(await admit(1)).toEqual(['b'])
    })

    it('counts no worker any more whose time is up', async () => {
      for (const id of ['a', 'b']) await insert(id, 'ann')
      await admit(1)
      await begin('a')
      await jobs.occupy('a', 1, 300_000)
      await jobs.end('a', { status: 'TIMEOUT' })
      clock += 299_000
      expect(await admit(1)).toEqual([])
      clock += 2_000
      expect(await admit(1)).toEqual(['b'])
    })

    it('lets a worker that was taken over neither occupy nor free the slot of its successor', async () => {
      await insert('a', 'ann')
      await begin('a')
      await jobs.occupy('a', 1, 1000)
      await begin('a')
      await jobs.occupy('a', 2, 300_000)
      await jobs.release('a', 1)
      await jobs.occupy('a', 1, 900_000)
      expect((await jobs.find('a'))?.workerUntil).toEqual(new Date(clock + 300_000))
      await jobs.release('a', 2)
      expect((await jobs.find('a'))?.workerUntil).toBe(null)
    })

    it('adds no more jobs of a user than may be open, even at the same moment', async () => {
      const newJob = (id: string, userId = 'ann'): NewJob => ({
        id,
        userId,
        type: 'T',
        targetId: null,
        params: null,
        retryCount: 0,
      })
      const all = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(id => jobs.insertWithin(newJob(id), 3)))
      const added = all.flatMap(({ job }) => job ?? [])
      expect([added.length, all.filter(({ created }) => created).length]).toEqual([3, 3])
      // The same id again, and another user, are not refused.
      const [first] = added
      expect(await jobs.insertWithin(newJob(first?.id ?? ''), 3)).toEqual({ job: first, created: false })
      expect(await jobs.insertWithin(newJob('f', 'bob'), 3)).toMatchObject({ created: true })
      await jobs.end(first?.id ?? '', { status: 'CANCELLED' })
      expect(await jobs.insertWithin(newJob('g'), 3)).toMatchObject({ created: true })
      expect(await jobs.insertWithin(newJob('h'), 3)).toEqual({ job: undefined, created: false })
    })
  })
}
