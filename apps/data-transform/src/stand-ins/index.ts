import { bindFrom, setting } from '@stepwright/app/bindings'
import { type DeclaredStandIn, standIn } from '@stepwright/app/functions'
import { idempotencyStore } from '@stepwright/idempotency/bindings'
import { objects } from '@stepwright/object-store/bindings'
import * as z from 'zod/mini'
import { wholeNumber } from '../functions/bindings.ts'
import { createTableIn, updateTableIn } from '../local/catalog.ts'
import { runGlueJob } from '../local/glue-job.ts'
import { curated, locks, raw } from '../resources.ts'

const catalog = { curated: objects(curated, 'read', 'write') }
const limits = bindFrom(
  {
    threads: setting('JOB_THREADS', z._default(wholeNumber, 2)),
    memoryLimitMb: setting('JOB_MEMORY_MB', z._default(wholeNumber, 256)),
  },
  opened => opened,
)

/** The job, by DuckDB. */
export const startJobRun: DeclaredStandIn = standIn(
  'glue:startJobRun',
  runGlueJob,
  { ...catalog, raw: objects(raw, 'read'), locks: idempotencyStore(locks, 'write'), limits },
  // DuckDB's threads would each keep what they have freed.
  { variables: { MALLOC_ARENA_MAX: 2 } },
)
export const createTable: DeclaredStandIn = standIn('aws-sdk:glue:createTable', createTableIn, catalog)
export const updateTable: DeclaredStandIn = standIn('aws-sdk:glue:updateTable', updateTableIn, catalog)
