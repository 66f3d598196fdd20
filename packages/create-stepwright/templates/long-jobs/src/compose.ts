import { SFNClient } from '@aws-sdk/client-sfn'
import { executionArnOf } from '@stepwright/idempotency'
import { createStepFunctionsExecutions } from '@stepwright/idempotency/step-functions'
import { sharedPostgresPool } from '@stepwright/postgres'
import { createJobFeed, type Job, type JobStore } from '@stepwright/progress'
import { createPostgresJobStore } from '@stepwright/progress/postgres'
import { createStepFunctionsCallback } from '@stepwright/progress/step-functions'
import { Kysely, PostgresDialect } from 'kysely'
import type * as z from 'zod/mini'
import type { databaseSettings, jobSettings } from './settings.ts'
import { createWriter } from './writer.ts'

type Database = z.infer<typeof databaseSettings>
type Jobs = z.infer<typeof jobSettings>

/** From the settings to what the tasks need: the only place where clients are made. */

function openDatabase<Tables>({ DATABASE_URL }: Database) {
  const pool = sharedPostgresPool({ connectionString: DATABASE_URL, concurrency: 5 })
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

export function composeMigrations(settings: Database) {
  return { db: openDatabase<unknown>(settings) }
}

export function composeJobs(settings: Database) {
  return { jobs: createPostgresJobStore({ db: openDatabase(settings) }) }
}

export function composeFeed(settings: Database) {
  const { jobs } = composeJobs(settings)
  return { jobs, feed: createJobFeed({ jobs, intervalMs: 250 }) }
}

export function composeUpdates(settings: Database) {
  const { jobs } = composeJobs(settings)
  return { jobs, resultOf: (job: Job) => resultOf(jobs, job) }
}

/** An execution is named after its job, so that it is started once. */
export function composeExecutions({ REPORT_ARN: stateMachineArn, ...settings }: Jobs) {
  const executions = createStepFunctionsExecutions({ client: () => new SFNClient({}) })
  return {
    ...composeJobs(settings),
    launcher: {
      async launch({ id }: Job) {
        await executions.start({ stateMachineArn, name: id, input: { processId: id } })
      },
    },
    stopper: {
      stop: ({ id }: Job) =>
        executions.stop({ executionArn: executionArnOf(stateMachineArn, id), error: 'JobCancelledError' }),
    },
  }
}

export function composeWorker(settings: Database) {
  const callback = createStepFunctionsCallback({ client: new SFNClient({}) })
  return { ...composeJobs(settings), callback, writer: createWriter() }
}

/** What the job's owner gets: its parts, in their order. */
export async function resultOf(jobs: JobStore, { id }: Pick<Job, 'id'>): Promise<unknown> {
  const parts = await jobs.listParts(id)
  return parts.toSorted((a, b) => a.part - b.part).map(({ value }) => value)
}
