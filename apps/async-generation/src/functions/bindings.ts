import { binding, setting } from '@stepwright/app/bindings'
import { executions } from '@stepwright/idempotency/bindings'
import { postgres } from '@stepwright/postgres/bindings'
import { jobLauncher, jobStore } from '@stepwright/progress/bindings'
import * as z from 'zod/mini'
import { db, generation } from '../resources.ts'
import { texts } from '../texts.ts'

export const pool = postgres(db, { concurrency: 10, applicationName: 'async-generation' })
const jobs = jobStore(pool, { userTableName: 'users' })
export const maxWorkers = 10
export const atLeastOne = z.coerce.number().check(z.gte(1))

/** What a function needs that reads or changes jobs. */
export const jobPorts = { jobs, refusal: binding({ open: () => texts.forbidden }) }

/** How many jobs run at once. */
export const capacity = setting('MAX_WORKERS', atLeastOne, { value: maxWorkers })

/** What a function needs that launches jobs, besides. */
export const launchPorts = {
  ...jobPorts,
  launcher: jobLauncher(executions(generation, 'start')),
  capacity,
}

/** What a function needs that adds jobs, besides: a user may have so many that have not ended. */
export const startPorts = {
  ...launchPorts,
  maxOpenJobs: setting('MAX_OPEN_JOBS', atLeastOne, { value: 20 }),
}

/** A function of the API answers at once, and serves the user that the token names. */
export const api = { caller: 'userId', timeoutSeconds: 25 } as const
