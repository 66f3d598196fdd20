import { randomUUID } from 'node:crypto'
import { Logger } from '@aws-lambda-powertools/logger'
import type { StandInContext } from '@stepwright/app/functions'
import type { IdempotencyStore } from '@stepwright/idempotency'
import { readJson } from '@stepwright/object-store'
import * as z from 'zod/mini'
import { jobSpec, jobSpecKey } from '../job.ts'
import { JobFailure } from './job-failure.ts'
import { renewWhileWorking } from './renew-lock.ts'
import { type JobPorts, runJob } from './run-job.ts'

const jobArguments = z.object({
  '--correlation_id': z.string(),
  '--job_s3_uri': z.string(),
  '--lock_key': z.string(),
  '--lock_token': z.string(),
  '--lock_seconds': z.coerce.number().check(z.int(), z.positive()),
})

export interface GlueJobPorts extends Pick<JobPorts, 'raw' | 'curated'> {
  readonly locks: Pick<IdempotencyStore, 'renew'>
  readonly limits: Pick<JobPorts, 'threads' | 'memoryLimitMb'>
}

/** What a run of the Glue job does, on one machine. */
export async function runGlueJob(
  { Arguments }: { readonly Arguments: unknown },
  { raw, curated, locks, limits }: GlueJobPorts,
  { signal }: StandInContext,
): Promise<object> {
  const given = z.parse(jobArguments, Arguments)
  const Id = `jr_${randomUUID().replaceAll('-', '')}`
  const logger = new Logger({ serviceName: 'transform-job' })
  const about = { correlationId: given['--correlation_id'], jobRunId: Id }
  const lockMs = given['--lock_seconds'] * 1000
  const lock = { key: given['--lock_key'], token: given['--lock_token'] }
  using _renewals = renewWhileWorking({ lockMs, renew: () => locks.renew(lock, { lockMs, ttlMs: lockMs }) })
  try {
    const key = given['--job_s3_uri'].replace(/^s3:\/\/[^/]+\//, '')
    const spec = await readJson(curated, key, jobSpec, { signal })
    if (spec === undefined) throw new JobFailure('there is no job to do')
    const runPrefix = key.slice(0, -jobSpecKey('').length)
    const job = { spec: spec.value, runPrefix, jobRunId: Id }
    const { rowCount } = await runJob(job, { raw, curated, ...limits }, signal)
    logger.info('job ended', { ...about, rowCount })
    return { Id }
  } catch (error) {
    const reason = error instanceof JobFailure ? error.message : 'the job broke off'
    logger.error('job failed', { ...about, reason })
    return { Id, JobRunState: 'FAILED', ErrorMessage: `transform: ${reason}` }
  }
}
