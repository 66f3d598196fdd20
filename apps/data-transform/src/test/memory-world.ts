import { readFile } from 'node:fs/promises'
import type { StateMachine } from '@stepwright/asl'
import { bind, type RunWorkflowOptions, runWorkflow, type WorkflowRun } from '@stepwright/asl-engine/testing'
import { createMemoryIdempotencyStore } from '@stepwright/idempotency/memory'
import { type ObjectStore, readJson } from '@stepwright/object-store'
import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import { acceptSchema } from '../accept-schema.ts'
import { checkSchema } from '../check-schema.ts'
import { describeTable } from '../describe-table.ts'
import { failPartition } from '../fail-partition.ts'
import { type JobResult, jobResultKey, jobRunPrefix, jobSpec, jobSpecKey, jobStartedKey } from '../job.ts'
import { createDayLock, type DayLock } from '../partition-lock.ts'
import { planTransform } from '../plan-transform.ts'
import { preflight } from '../preflight.ts'
import { publishPartition } from '../publish-partition.ts'
import { summarizeTransform } from '../summarize-transform.ts'
import { parseType } from '../typing/column-type.ts'
import { assumeType } from '../typing/evidence.ts'
import { widenColumns } from '../typing/table-schema.ts'

export const definition = JSON.parse(
  await readFile(new URL('../../transform.asl.json', import.meta.url), 'utf8'),
) as StateMachine

export const base = { environment: 'dev', domain: 'shop', table_name: 'orders' }
export const day = { ...base, ds: '2025-09-07' }

export interface MemoryPorts {
  readonly raw: ObjectStore
  readonly curated: ObjectStore
  readonly rawBucket: string
  readonly curatedBucket: string
  readonly lock: DayLock
  readonly maxRewriteBytes: number
  readonly limits: { readonly maxDays: number; readonly rawBucket: string }
}

/** What the job finds, whatever the raw files hold. */
export type Found = Pick<JobResult, 'rowCount' | 'columns' | 'figures'> & Partial<Pick<JobResult, 'misfit'>>

export interface MemoryWorld {
  readonly ports: MemoryPorts
  /** How often the catalog was updated. */
  readonly crawls: () => number
  found: Found
  tasks(ports?: MemoryPorts): RunWorkflowOptions['tasks']
  run(input: unknown, options?: Partial<RunWorkflowOptions>): Promise<WorkflowRun>
}

const noRows: Found = { rowCount: 3, columns: [{ name: 'id', type: 'bigint' }], figures: [] }
const { signal } = new AbortController()

export function createMemoryWorld(): MemoryWorld {
  const ports: MemoryPorts = {
    raw: createMemoryObjectStore(),
    curated: createMemoryObjectStore(),
    rawBucket: 'raw',
    curatedBucket: 'curated',
    lock: createDayLock({
      store: createMemoryIdempotencyStore(),
      tableName: 'locks',
      lockSeconds: 900,
    }),
    limits: { maxDays: 31, rawBucket: 'raw' },
    maxRewriteBytes: 1_000_000,
  }
  let crawls = 0
  let jobs = 0
  const world: MemoryWorld = {
    ports,
    crawls: () => crawls,
    found: noRows,
    tasks: (given = ports) => ({
      PlanTransform: bind(planTransform, given),
      Preflight: bind(preflight, given),
      PublishPartition: bind(publishPartition, given),
      FailPartition: bind(failPartition, given),
      CheckSchema: bind(checkSchema, given),
      AcceptSchema: bind(acceptSchema, given),
      SummarizeTransform: bind(summarizeTransform, {}),
      RunGlueJob: async input => {
        jobs += 1
        const Id = `jr_${jobs}`
        await writeResult(given.curated, input, Id, world.found)
        return { Id, JobRunState: 'SUCCEEDED' }
      },
      DescribeTable: bind(describeTable, given),
      UpdateTable: () => {
        crawls += 1
        return {}
      },
      CreateTable: () => ({}),
    }),
    run: (input, options = {}) =>
      runWorkflow(definition, {
        tasks: world.tasks(),
        substitutions: { GlueJobName: 'job', CatalogDatabase: 'catalog' },
        input,
        ...options,
      }),
  }
  return world
}

async function writeResult(
  curated: ObjectStore,
  input: unknown,
  jobRunId: string,
  found: Found,
): Promise<void> {
  const uri = String(Object(input).Arguments['--job_s3_uri'])
  const key = uri.replace('s3://curated/', '')
  const spec = await readJson(curated, key, jobSpec, { signal })
  const prefix = key.slice(0, -jobSpecKey('').length)
  await curated.put(jobStartedKey(prefix, jobRunId), '{}')
  const file = `${jobRunPrefix(prefix, jobRunId)}part-00000.parquet`
  const body = `${spec?.value.ds} ${found.rowCount}`
  await curated.put(file, body)
  // Of a day without rows nothing is learned.
  const seen = found.rowCount > 0 ? found.columns : []
  const learned = seen.map(({ name, type }) => ({ name, evidence: assumeType(parseType(type)) }))
  const known = widenColumns(spec?.value.schema ?? [], learned)
  const columns = seen.map(({ name }) => ({
    name,
    type: String(known.find(column => column.name === name)?.type),
  }))
  const result: JobResult = { ...found, columns, learned, files: [{ key: file, size: body.length }] }
  await curated.put(jobResultKey(prefix, jobRunId), JSON.stringify(result))
}
