import { NotFoundError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { IllegalTransitionError, JobCancelledError, StaleAttemptError } from './errors.ts'
import type { JobStore } from './job-store.ts'
import { createMemoryJobStore } from './memory-job-store.ts'
import { beatJob, beginJob, endJob } from './move-job.ts'

async function jobsWith(id: string): Promise<JobStore> {
  const jobs = createMemoryJobStore()
  await jobs.insert({ id, userId: 'u', type: 'T', targetId: null, params: null, retryCount: 0 })
  return jobs
}

describe('endJob', () => {
  it('ends a job once, however often the same end is reported', async () => {
    const jobs = await jobsWith('j')
    await beginJob(jobs, 'j', { silentForMs: 0 })
    const end = { status: 'COMPLETED', attempt: 1, result: { b: 1, a: [undefined] } } as const
    expect(await endJob(jobs, 'j', end)).toMatchObject({ moved: true })
    expect(await endJob(jobs, 'j', end)).toMatchObject({ moved: false, job: { status: 'COMPLETED' } })
  })

  it('refuses another end', async () => {
    const jobs = await jobsWith('j')
    await beginJob(jobs, 'j', { silentForMs: 0 })
    await endJob(jobs, 'j', { status: 'COMPLETED', attempt: 1, result: 1 })
    await expect(endJob(jobs, 'j', { status: 'COMPLETED', attempt: 1, result: 2 })).rejects.toThrow(
      IllegalTransitionError,
    )
    await expect(endJob(jobs, 'j', { status: 'TIMEOUT' })).rejects.toMatchObject({
      name: 'IllegalTransitionError',
      message: 'job j is COMPLETED and cannot become TIMEOUT',
      details: { from: 'COMPLETED', to: 'TIMEOUT' },
    })
  })

  it('refuses to complete what nobody has begun', async () => {
    const jobs = await jobsWith('j')
    await expect(endJob(jobs, 'j', { status: 'COMPLETED' })).rejects.toThrow(IllegalTransitionError)
  })

  it('refuses a worker that was taken over', async () => {
    const jobs = await jobsWith('j')
    await beginJob(jobs, 'j', { silentForMs: 0 })
    await beginJob(jobs, 'j', { silentForMs: 0 })
    await expect(endJob(jobs, 'j', { status: 'COMPLETED', attempt: 1 })).rejects.toMatchObject({
      name: 'StaleAttemptError',
      details: { attempt: 1, current: 2 },
    })
  })

  it('says that a job was cancelled, to whoever still works on it', async () => {
    const jobs = await jobsWith('j')
    await beginJob(jobs, 'j', { silentForMs: 0 })
    await endJob(jobs, 'j', { status: 'CANCELLED' })
    await expect(endJob(jobs, 'j', { status: 'COMPLETED', attempt: 1 })).rejects.toThrow(JobCancelledError)
    await expect(beginJob(jobs, 'j', { silentForMs: 0 })).rejects.toThrow(JobCancelledError)
    await expect(beatJob(jobs, 'j', 1, 50)).rejects.toThrow(JobCancelledError)
  })

  it('says that there is no such job', async () => {
    const jobs = createMemoryJobStore()
    await expect(endJob(jobs, 'j', { status: 'FAILED' })).rejects.toThrow(NotFoundError)
    await expect(beginJob(jobs, 'j', { silentForMs: 0 })).rejects.toThrow(NotFoundError)
  })

  it('tries again if the reason is gone by the time it looks', async () => {
    const jobs = await jobsWith('j')
    await beginJob(jobs, 'j', { silentForMs: 0 })
    let refusals = 0
    const racing: JobStore = {
      ...jobs,
      // As the first write is refused, the store already shows a job that would allow it.
      end: async (id, end) =>
        refusals++ === 0 ? { applied: false, job: await jobs.find(id) } : jobs.end(id, end),
    }
    expect(await endJob(racing, 'j', { status: 'FAILED', attempt: 1 })).toMatchObject({ moved: true })
  })
})

describe('beginJob', () => {
  it('goes on from the progress of the attempt before where that is asked for', async () => {
    const jobs = await jobsWith('j')
    await beginJob(jobs, 'j')
    await beatJob(jobs, 'j', 1, 40)
    const kept = await beginJob(jobs, 'j', { silentForMs: 0, keepsProgress: true })
    expect(kept.job).toMatchObject({ attempt: 2, progress: 40 })
    const fresh = await beginJob(jobs, 'j', { silentForMs: 0 })
    expect(fresh.job).toMatchObject({ attempt: 3, progress: 0 })
  })
})

describe('beatJob', () => {
  it('refuses a beat of an old attempt', async () => {
    const jobs = await jobsWith('j')
    await beginJob(jobs, 'j', { silentForMs: 0 })
    expect(await beatJob(jobs, 'j', 1, 10)).toMatchObject({ job: { progress: 10 } })
    await beginJob(jobs, 'j', { silentForMs: 0 })
    await expect(beatJob(jobs, 'j', 1, 20)).rejects.toThrow(StaleAttemptError)
  })

  it('answers a worker of a job that nobody has taken, instead of asking for ever', async () => {
    const jobs = await jobsWith('j')
    for (const attempt of [0, 1, Number.NaN]) {
      await expect(beatJob(jobs, 'j', attempt, 10)).rejects.toThrow(StaleAttemptError)
    }
  })

  it('gives up on a store that refuses without a reason', async () => {
    const memory = await jobsWith('j')
    await beginJob(memory, 'j')
    let tries = 0
    const jobs: JobStore = {
      ...memory,
      async beat() {
        tries += 1
        return { applied: false, job: await memory.find('j') }
      },
    }
    await expect(beatJob(jobs, 'j', 1, 10)).rejects.toMatchObject({ name: 'TemporaryError' })
    expect(tries).toBe(10)
  })
})
