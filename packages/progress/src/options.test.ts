import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createJobOutcomes } from './job-executions.ts'
import { createJobFeed } from './job-feed.ts'
import { keepMissingParts } from './keep-missing-parts.ts'
import { createMemoryJobStore } from './memory-job-store.ts'
import { createPostgresJobStore } from './postgres-job-store.ts'
import { createJobSlotsMigration, createProcessingStateMigration } from './postgres-migration.ts'
import { runWorker } from './run-worker.ts'
import { startJobOf } from './start-job.ts'
import { createStepFunctionsCallback } from './step-functions-callback.ts'
import { trackJob } from './track-job.ts'

const workflow = { describe: async () => undefined }
const jobInput = z.object({ userId: z.string(), type: z.string() })
const jobWork = { parts: new Map(), keep: async () => {}, signal: new AbortController().signal }
async function noWork(): Promise<void> {}

describe('options', () => {
  it.each<[string, (options: never) => unknown, object, string]>([
    [
      'createJobOutcomes',
      options => createJobOutcomes(workflow, options),
      { failedMessage: '' },
      'failedMessage',
    ],
    ['createJobFeed', createJobFeed, { intervalMs: 0 }, 'intervalMs must be a number above 0, and is 0'],
    [
      'createMemoryJobStore',
      createMemoryJobStore,
      { clock: Date.now },
      'clock does not exist; there are now',
    ],
    ['createPostgresJobStore', createPostgresJobStore, { table: 'jobs' }, 'table does not exist; there are'],
    ['createProcessingStateMigration', createProcessingStateMigration, { tableName: '' }, 'tableName must'],
    ['createJobSlotsMigration', createJobSlotsMigration, { userTableName: 'u' }, 'userTableName does not'],
    [
      'createStepFunctionsCallback',
      createStepFunctionsCallback,
      { client: null },
      'client must be an object',
    ],
    ['runWorker', runWorker, { concurrency: 0 }, 'concurrency must be a whole number from 1, and is 0'],
    ['runWorker', runWorker, { pollMs: Number.NaN }, 'pollMs must be a number above 0, and is NaN'],
    ['runWorker', runWorker, { maxAttemps: 5 }, 'maxAttemps does not exist; there are'],
    ['trackJob', options => trackJob(options, noWork), { heartbeatMs: 0 }, 'heartbeatMs must be a number'],
    ['startJobOf', options => startJobOf(jobInput, options), { jobkey: String }, 'jobkey does not exist'],
    [
      'keepMissingParts',
      options => keepMissingParts(jobWork, ['a'], noWork, options),
      { parallel: 0 },
      'parallel must be a whole number from 1, and is 0',
    ],
  ])('%s refuses what is impossible or does not exist', async (name, call, options, problem) => {
    const called = async () => call(options as never)
    await expect(called()).rejects.toThrow(TypeError)
    await expect(called()).rejects.toThrow(`options of ${name}: ${problem}`)
  })
})
