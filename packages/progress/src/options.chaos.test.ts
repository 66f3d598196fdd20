import { fuzzOptions } from '@stepwright/bench/fuzz-options'
import { isTaskError } from '@stepwright/errors'
import { describe, it } from 'vitest'
import * as z from 'zod/mini'
import { createJobOutcomes } from './job-executions.ts'
import { createJobFeed } from './job-feed.ts'
import { keepMissingParts } from './keep-missing-parts.ts'
import { createMemoryJobStore } from './memory-job-store.ts'
import { createPostgresJobStore } from './postgres-job-store.ts'
import { createJobSlotsMigration, createProcessingStateMigration } from './postgres-migration.ts'
import { runWorker, type WorkerOptions } from './run-worker.ts'
import { startJobOf } from './start-job.ts'
import { createStepFunctionsCallback } from './step-functions-callback.ts'
import { trackJob } from './track-job.ts'

const jobs = createMemoryJobStore()
const ended = AbortSignal.abort()
const { signal } = new AbortController()
const pool = { connect: async () => ({}), end: async () => {} }
const time = { now: () => 0, sleep: async (_: number, signal?: AbortSignal) => signal?.throwIfAborted() }
const jobWork = { parts: new Map(), keep: async () => {}, signal }
const jobInput = z.object({ userId: z.string(), type: z.string() })

describe('whatever the options, they are refused or obeyed', { timeout: 600_000 }, () => {
  it.each([
    {
      name: 'createJobOutcomes',
      call: (options: never) => createJobOutcomes({ describe: async () => undefined }, options),
      options: { failedMessage: 'it failed', timeoutError: { code: 'TIMEOUT', message: 'too long' } },
    },
    {
      name: 'createJobFeed',
      call: createJobFeed,
      options: { jobs, intervalMs: 500, sleep: time.sleep, onError: () => {} },
    },
    { name: 'createMemoryJobStore', call: createMemoryJobStore, options: { now: Date.now } },
    {
      name: 'createPostgresJobStore',
      call: createPostgresJobStore,
      options: { pool, tableName: 'jobs', userTableName: 'users', now: Date.now },
    },
    {
      name: 'createProcessingStateMigration',
      call: createProcessingStateMigration,
      options: { tableName: 'jobs', userTableName: 'users' },
    },
    { name: 'createJobSlotsMigration', call: createJobSlotsMigration, options: { tableName: 'jobs' } },
    { name: 'createStepFunctionsCallback', call: createStepFunctionsCallback, options: { client: {} } },
    {
      name: 'startJobOf',
      call: (options: never) => startJobOf(jobInput, options),
      options: { jobKey: () => 'key', use: [], ports: {} },
    },
    {
      name: 'keepMissingParts',
      call: (options: never) => keepMissingParts(jobWork, ['a', 'b'], async () => 'part', options),
      options: { parallel: 2, progress: () => 50 },
    },
    {
      name: 'runWorker',
      // Without a signal it works until the process is told to end.
      call: (given: WorkerOptions) =>
        runWorker(given.signal === undefined ? { ...given, signal: ended } : given),
      options: {
        ...time,
        jobs,
        work: async () => {},
        concurrency: 1,
        capacity: 10,
        maxAttempts: 3,
        pollMs: 1000,
        signal: ended,
        graceMs: 25_000,
        onError: () => {},
        random: () => 0.5,
      },
    },
  ])('$name', fuzzOptions)

  it('trackJob', async () => {
    const options = { jobs, jobId: 'j', attempt: 1, signal, intervalMs: 1000, heartbeatMs: 2000 }
    await jobs.insert({
      id: 'j',
      userId: 'ann',
      type: 'report',
      params: null,
      targetId: null,
      retryCount: 0,
    })
    await jobs.begin('j', { silentForMs: 0 })
    await fuzzOptions({
      name: 'trackJob',
      options: { ...time, ...options, onWriteError: () => {} },
      // There may be no such job, or no such attempt.
      call: given =>
        trackJob(given, async () => {}).catch(error => isTaskError(error) || Promise.reject(error)),
    })
  })
})
