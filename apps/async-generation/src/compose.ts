import type { MigrateDatabasePorts } from '@stepwright/postgres/migrations'
import { createJobFeed, type Job, type JobStore } from '@stepwright/progress'
import type {
  CancelJobPorts,
  EndStuckJobsPorts,
  FollowJobPorts,
  JobPorts,
  RetryJobPorts,
  StartJobPorts,
  UpdateStatusPorts,
  WorkPorts,
} from '@stepwright/progress/tasks'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import { createJobExecutions, type JobExecutions, timeoutError } from './executions.ts'
import type { GeneratePorts } from './generate.ts'
import { generationOf } from './generation.ts'
import type { Generator } from './generator.ts'
import type * as settings from './settings.ts'
import { texts } from './texts.ts'

type Of<Name extends keyof typeof settings> = z.infer<(typeof settings)[Name]>

/** On Lambda a process takes one event at a time and opens one; on one machine functions share a process. */
const maxConnections = 10

export async function jobPorts(given: Of<'databaseSettings'>): Promise<JobPorts> {
  const { createPostgresJobStore } = await import('@stepwright/progress/postgres')
  const jobs = createPostgresJobStore({ db: await openDatabase(given), userTableName: 'users' })
  return { jobs, refusal: texts.forbidden }
}

export async function launchPorts(given: Of<'launchSettings'>): Promise<StartJobPorts> {
  const [ports, { launcher }] = await Promise.all([jobPorts(given), executionsOf(given)])
  return { ...ports, launcher, capacity: given.MAX_WORKERS }
}

export async function retryPorts(given: Of<'retrySettings'>): Promise<RetryJobPorts> {
  return { ...(await launchPorts(given)), maxRetries: given.MAX_RETRIES }
}

export async function cancelPorts(given: Of<'executionSettings'>): Promise<CancelJobPorts> {
  const [ports, { stopper }] = await Promise.all([jobPorts(given), executionsOf(given)])
  return { ...ports, stopper }
}

export async function reaperPorts(given: Of<'executionSettings'>): Promise<EndStuckJobsPorts> {
  const [ports, { outcomeOf }] = await Promise.all([jobPorts(given), executionsOf(given)])
  return { ...ports, outcomeOf, timeoutError }
}

export async function followPorts(given: Of<'databaseSettings'>): Promise<FollowJobPorts> {
  const ports = await jobPorts(given)
  return { ...ports, feed: createJobFeed({ jobs: ports.jobs, intervalMs: 250 }) }
}

export async function updatePorts(given: Of<'databaseSettings'>): Promise<UpdateStatusPorts> {
  const ports = await jobPorts(given)
  return { ...ports, resultOf: job => resultOf(ports.jobs, job) }
}

export async function workerPorts(given: Of<'workerSettings'>): Promise<WorkPorts & GeneratePorts> {
  const { SFNClient } = await import('@aws-sdk/client-sfn')
  const { createStepFunctionsCallback } = await import('@stepwright/progress/step-functions')
  return {
    ...(await jobPorts(given)),
    callback: createStepFunctionsCallback({ client: new SFNClient({}) }),
    generator: await generatorOf(given),
    parallelCalls: given.PARALLEL_CALLS,
  }
}

export async function migratePorts(given: Of<'databaseSettings'>): Promise<MigrateDatabasePorts> {
  return { db: await openDatabase(given) }
}

/** Of all its parts, in their order. */
export async function resultOf(jobs: JobStore, { id, type, params }: Job): Promise<unknown> {
  const kept = await jobs.listParts(id)
  const parts = kept.toSorted((a, b) => a.part - b.part).map(({ value }) => value as readonly string[])
  return generationOf(type).result(params, parts)
}

async function generatorOf({
  MODEL: modelId,
  LOCAL_SCRIPT: script,
}: Of<'workerSettings'>): Promise<Generator> {
  if (modelId === 'local') {
    const { createLocalGenerator, localScript } = await import('./generators/local.ts')
    return createLocalGenerator(script === undefined ? {} : { script: localScript.parse(JSON.parse(script)) })
  }
  const { BedrockRuntimeClient } = await import('@aws-sdk/client-bedrock-runtime')
  const { createBedrockGenerator } = await import('./generators/bedrock.ts')
  return createBedrockGenerator({ client: new BedrockRuntimeClient({ maxAttempts: 3 }), modelId })
}

async function executionsOf({ STATE_MACHINE_ARN: arn }: Of<'executionSettings'>): Promise<JobExecutions> {
  const { SFNClient } = await import('@aws-sdk/client-sfn')
  const { createStepFunctionsExecutions } = await import('@stepwright/idempotency/step-functions')
  return createJobExecutions(createStepFunctionsExecutions({ client: () => new SFNClient({}) }), arn)
}

async function openDatabase<Tables>({
  DATABASE_URL: connectionString,
}: Of<'databaseSettings'>): Promise<Kysely<Tables>> {
  const { sharedPostgresPool } = await import('@stepwright/postgres')
  const pool = sharedPostgresPool({
    connectionString,
    concurrency: maxConnections,
    applicationName: 'async-generation',
  })
  const { Kysely, PostgresDialect } = await import('./query-builder.ts')
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
