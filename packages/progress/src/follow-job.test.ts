import type { ServerSentEvent } from '@stepwright/task/http'
import { describe, expect, it } from 'vitest'
import { createJobFeed } from './job-feed.ts'
import type { JobStore } from './job-store.ts'
import { createMemoryJobStore } from './memory-job-store.ts'
import { followJob } from './tasks.ts'
import { createVirtualClock } from './test/virtual-clock.ts'

async function setUp() {
  const { now, sleep, advance } = createVirtualClock(1_760_000_000_000)
  const jobs = createMemoryJobStore({ now })
  await jobs.insert({ id: 'j', userId: 'ann', type: 'T', targetId: null, params: null, retryCount: 0 })
  let questions = 0
  const counted: JobStore = {
    ...jobs,
    findVersions(ids) {
      questions += 1
      return jobs.findVersions(ids)
    },
  }
  const feed = createJobFeed({ jobs: counted, sleep })
  const leaving = new AbortController()

  /** Reads all that comes into a list, and resolves at the end of the stream. */
  async function follow(seen: string[], lastEventId?: string, userId = 'ann'): Promise<string> {
    const input = { userId, jobId: 'j', lastEventId }
    const events = await followJob.run(input, { jobs: counted, feed }, { now, signal: leaving.signal })
    if (events === undefined) return 'nothing more'
    for await (const event of events) seen.push(describeEvent(event))
    return 'ended'
  }
  /** Asks for the stream, and reads it later. */
  async function open() {
    const input = { userId: 'ann', jobId: 'j' }
    const events = await followJob.run(input, { jobs: counted, feed }, { now, signal: leaving.signal })
    return {
      async readInto(seen: string[]): Promise<void> {
        for await (const event of events ?? []) seen.push(describeEvent(event))
      },
    }
  }
  return { jobs, feed, follow, open, advance, leave: () => leaving.abort(), questions: () => questions }
}

function describeEvent({ id, event, data }: ServerSentEvent): string {
  const { part, value, status, progress } = data as Record<string, unknown>
  return `${id} ${event} ${event === 'part' ? `${part}=${value}` : status} ${progress}`
}

describe('followJob', () => {
  it('tells of every change in order, and ends after the final status', async () => {
    const { jobs, follow, advance } = await setUp()
    const seen: string[] = []
    const ended = follow(seen)
    await advance(600)
    await jobs.begin('j', { silentForMs: 0 })
    await advance(600)
    await jobs.keepPart('j', 1, { part: 0, value: 'a' }, 50)
    await jobs.keepPart('j', 1, { part: 1, value: 'b' }, 60)
    await advance(600)
    await jobs.end('j', { status: 'COMPLETED', result: 'ab' })
    await advance(600)
    expect(await ended).toBe('ended')
    expect(seen).toEqual([
      '0 status PENDING 0',
      '1 status PROCESSING 0',
      '2.0 part 0=a 50',
      '3.1 part 1=b 60',
      '3 status PROCESSING 60',
      '4 status COMPLETED 100',
    ])
  })

  it('tells a reader who comes later of each part once, whoever listens already', async () => {
    const { jobs, follow, advance } = await setUp()
    await jobs.begin('j', { silentForMs: 0 })
    await jobs.keepPart('j', 1, { part: 0, value: 'a' }, 50)
    const [first, second]: string[][] = [[], []]
    const streams = [follow(first as string[])]
    await advance(600)
    await jobs.keepPart('j', 1, { part: 1, value: 'b' }, 60)
    streams.push(follow(second as string[]))
    await advance(600)
    await jobs.end('j', { status: 'FAILED' })
    await advance(600)
    await Promise.all(streams)
    expect(first).toEqual([
      '2.0 part 0=a 50',
      '2 status PROCESSING 50',
      '3.1 part 1=b 60',
      '3 status PROCESSING 60',
      '4 status FAILED 60',
    ])
    expect(second).toEqual([
      '2.0 part 0=a 50',
      '3.1 part 1=b 60',
      '3 status PROCESSING 60',
      '4 status FAILED 60',
    ])
  })

  it('misses nothing that happens before the reader listens, whoever listens already', async () => {
    const { jobs, follow, advance, open } = await setUp()
    await jobs.begin('j', { silentForMs: 0 })
    const first: string[] = []
    const others = follow(first)
    await advance(600)
    const late = await open()
    await jobs.keepPart('j', 1, { part: 0, value: 'a' }, 50)
    await advance(600)
    const seen: string[] = []
    const ended = late.readInto(seen)
    await advance(600)
    const last = await open()
    await jobs.end('j', { status: 'FAILED' })
    await advance(600)
    const end: string[] = []
    await Promise.all([others, ended, last.readInto(end)])
    expect(seen).toEqual(['2.0 part 0=a 50', '2 status PROCESSING 50', '3 status FAILED 50'])
    expect(end).toEqual(['2.0 part 0=a 50', '3 status FAILED 50'])
  })

  it('goes on after the last event that was seen, also in the middle of a version', async () => {
    const { jobs, follow } = await setUp()
    await jobs.begin('j', { silentForMs: 0 })
    for (const part of [0, 1]) await jobs.keepPart('j', 1, { part, value: part }, 10)
    await jobs.end('j', { status: 'FAILED' })
    const rest = async (lastEventId: string): Promise<string[]> => {
      const seen: string[] = []
      await follow(seen, lastEventId)
      return seen
    }
    expect(await rest('2.0')).toEqual(['3.1 part 1=1 10', '4 status FAILED 10'])
    expect(await rest('3')).toEqual(['4 status FAILED 10'])
    expect(await follow([], '4')).toBe('nothing more')
    await expect(follow([], 'x')).rejects.toMatchObject({ name: 'DataValidationError' })
  })

  it('asks the store once for any number of readers, and not at all for none', async () => {
    const { follow, advance, leave, questions } = await setUp()
    const streams = Array.from({ length: 50 }, () => follow([]))
    await advance(10)
    const before = questions()
    await advance(5000)
    expect(questions() - before).toBeLessThanOrEqual(11)
    leave()
    expect(await Promise.all(streams)).toEqual(Array(50).fill('ended'))
    await advance(1000)
    const after = questions()
    await advance(10_000)
    expect(questions()).toBe(after)
  })

  it('is only for the owner, and ends when the job is gone', async () => {
    const { jobs, follow, advance } = await setUp()
    await expect(follow([], undefined, 'bob')).rejects.toMatchObject({ name: 'ForbiddenError' })
    await jobs.begin('j', { silentForMs: 0 })
    const seen: string[] = []
    const ended = follow(seen)
    await advance(600)
    await jobs.end('j', { status: 'FAILED' })
    await jobs.purge(0, 1)
    await advance(600)
    expect([await ended, seen]).toEqual(['ended', ['1 status PROCESSING 0']])
  })
})

describe('createJobFeed', () => {
  it('does not take a job for gone that somebody begins to follow during a poll', async () => {
    const { now, sleep, advance } = createVirtualClock()
    const jobs = createMemoryJobStore({ now })
    for (const id of ['first', 'second']) {
      await jobs.insert({ id, userId: 'ann', type: 'T', targetId: null, params: null, retryCount: 0 })
    }
    const heard: unknown[] = []
    let isPolled = false
    const feed = createJobFeed({
      jobs: {
        ...jobs,
        async findVersions(ids) {
          const versions = await jobs.findVersions(ids)
          if (!isPolled) feed.listen('second', change => heard.push(change?.job.id))
          isPolled = true
          return versions
        },
      },
      sleep,
    })
    feed.listen('first', () => {})
    await advance(10)
    expect(heard).toEqual([])
    await advance(600)
    expect(heard).toEqual(['second'])
  })

  it('goes on when the store cannot be asked', async () => {
    const { now, sleep, advance } = createVirtualClock()
    const jobs = createMemoryJobStore({ now })
    await jobs.insert({ id: 'j', userId: 'ann', type: 'T', targetId: null, params: null, retryCount: 0 })
    let isBroken = true
    const troubles: unknown[] = []
    const feed = createJobFeed({
      jobs: {
        ...jobs,
        findVersions: async ids => (isBroken ? Promise.reject(new Error('gone')) : jobs.findVersions(ids)),
      },
      sleep,
      onError: error => troubles.push(error),
    })
    const heard: unknown[] = []
    const stop = feed.listen('j', change => heard.push(change?.job.version))
    await advance(1100)
    isBroken = false
    await advance(600)
    stop()
    expect([heard, troubles.length]).toEqual([[0], 3])
  })
})
