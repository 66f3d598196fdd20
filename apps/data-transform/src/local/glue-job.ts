import { randomUUID } from 'node:crypto'
import { Logger } from '@aws-lambda-powertools/logger'
import { createS3ObjectStore } from '@stepwright/object-store/s3'
import { parseSettings } from '@stepwright/task/settings'
import * as z from 'zod/mini'
import { jobSpec, jobSpecKey } from '../job.ts'
import { readJson } from '../json-object.ts'
import { JobFailure } from './job-failure.ts'
import { renewWhileWorking } from './renew-lock.ts'
import { runJob } from './run-job.ts'

const whole = z.coerce.number().check(z.int(), z.positive())

const jobSettings = /* @__PURE__ */ z.object({
  RAW_BUCKET: z.string(),
  CURATED_BUCKET: z.string(),
  JOB_THREADS: z._default(whole, 2),
  JOB_MEMORY_MB: z._default(whole, 256),
})

const jobArguments = /* @__PURE__ */ z.object({
  '--correlation_id': z.string(),
  '--job_s3_uri': z.string(),
  '--lock_table': z.string(),
  '--lock_key': z.string(),
  '--lock_token': z.string(),
  '--lock_seconds': whole,
})

interface StandInContext {
  readonly signal: AbortSignal
}

/** Stands for `glue:startJobRun` on one machine: the same job, by DuckDB. */
export async function startJobRun(
  { Arguments }: { readonly Arguments: unknown },
  { signal }: StandInContext,
): Promise<object> {
  const settings = parseSettings(jobSettings)
  const given = z.parse(jobArguments, Arguments)
  const Id = `jr_${randomUUID().replaceAll('-', '')}`
  const raw = createS3ObjectStore({ bucket: settings.RAW_BUCKET })
  const curated = createS3ObjectStore({ bucket: settings.CURATED_BUCKET })
  const logger = new Logger({ serviceName: 'transform-job' })
  const about = { correlationId: given['--correlation_id'], jobRunId: Id }
  using _renewals = renewWhileWorking({
    lockMs: given['--lock_seconds'] * 1000,
    renew: () => renewLock(given),
  })
  try {
    const key = given['--job_s3_uri'].replace(/^s3:\/\/[^/]+\//, '')
    const spec = await readJson(curated, key, jobSpec, { signal })
    if (spec === undefined) throw new JobFailure('there is no job to do')
    const runPrefix = key.slice(0, -jobSpecKey('').length)
    const job = { spec: spec.value, runPrefix, jobRunId: Id }
    const ports = { raw, curated, threads: settings.JOB_THREADS, memoryLimitMb: settings.JOB_MEMORY_MB }
    const { rowCount } = await runJob(job, ports, signal)
    logger.info('job ended', { ...about, rowCount })
    return { Id }
  } catch (error) {
    const reason = error instanceof JobFailure ? error.message : 'the job broke off'
    logger.error('job failed', { ...about, reason })
    return { Id, JobRunState: 'FAILED', ErrorMessage: `transform: ${reason}` }
  } finally {
    raw.close()
    curated.close()
  }
}

/** Most jobs end before it is needed: they do not load the client. */
async function renewLock(given: z.infer<typeof jobArguments>): Promise<void> {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb')
  const { createDynamoDbIdempotencyStore } = await import('@stepwright/idempotency/dynamodb')
  const client = new DynamoDBClient({})
  try {
    const store = createDynamoDbIdempotencyStore({ client, tableName: given['--lock_table'] })
    const lockMs = given['--lock_seconds'] * 1000
    await store.renew({ key: given['--lock_key'], token: given['--lock_token'] }, { lockMs, ttlMs: lockMs })
  } finally {
    client.destroy()
  }
}
