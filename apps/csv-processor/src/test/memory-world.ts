import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { StateMachine } from '@stepwright/asl'
import { type ObjectStorePort, TaskFailure } from '@stepwright/asl-engine'
import { bind, type RunWorkflowOptions, runWorkflow, type WorkflowRun } from '@stepwright/asl-engine/testing'
import { type AuditEntry, createAuditLog, parseAuditKeys } from '@stepwright/audit-log'
import { createMemoryAuditStore } from '@stepwright/audit-log/memory'
import { createBatchWriter } from '@stepwright/batch-writer'
import { createMemoryRowSink, type MemoryRowSink } from '@stepwright/batch-writer/memory'
import { type ObjectStore, readText } from '@stepwright/object-store'
import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import { createChunkLedger } from '../chunk-ledger.ts'
import { routes } from '../csv-processor.ts'
import type { CsvProcessorPorts } from '../ports.ts'
import { type UserActivity, userActivityConflict } from '../user-activity.ts'

const substitutions = {
  CsvProcessor: 'arn:aws:lambda:ap-northeast-1:123456789012:function:csv-processor',
  OutputBucket: 'output',
}

export const definition = JSON.parse(
  await readFile(new URL('../../csv-parallel-processing-workflow.asl.json', import.meta.url), 'utf8'),
) as StateMachine

/** The same with 5 rows a chunk and 10 a child: some may fail before the Map does. */
export const smallChunks = JSON.parse(
  JSON.stringify(definition).replace('"rowsPerChunk":250', '"rowsPerChunk":5'),
) as StateMachine

/** The ports of the tasks in memory, and what can be seen in them. */
export interface MemoryWorld {
  readonly ports: CsvProcessorPorts
  readonly sink: MemoryRowSink<UserActivity>
  readonly objects: ObjectStorePort
  put(key: string, body: string | Uint8Array): Promise<ObjectCreated>
  entries(executionId: string): Promise<AuditEntry[]>
  readOutput(key: string): Promise<string>
  run(input: unknown, options?: Partial<RunWorkflowOptions>, machine?: StateMachine): Promise<WorkflowRun>
}

export interface ObjectCreated {
  readonly detail: {
    readonly bucket: { readonly name: string }
    readonly object: { readonly key: string; readonly size: number; readonly etag: string }
  }
}

export function createMemoryWorld(): MemoryWorld {
  const stores = new Map<string, ObjectStore>()
  const storeOf = (bucket = 'input'): ObjectStore => {
    const store = stores.get(bucket) ?? createMemoryObjectStore()
    stores.set(bucket, store)
    return store
  }
  const sink = createMemoryRowSink<UserActivity>({ conflict: userActivityConflict })
  const audit = createAuditLog({
    store: createMemoryAuditStore(),
    keys: parseAuditKeys(`test:${createHash('sha256').update('test').digest('base64')}`),
  })
  const writer = createBatchWriter({ sink, maxRejected: 1_000_000 })
  const ports: CsvProcessorPorts = { storeOf, writer, ledger: createChunkLedger(sink), audit }
  const objects = toEngineObjects(storeOf)
  return {
    ports,
    sink,
    objects,
    async put(key, body) {
      const { etag } = await storeOf('input').put(key, body)
      const object = { key, size: Buffer.byteLength(body), etag: etag.replaceAll('"', '') }
      return { detail: { bucket: { name: 'input' }, object } }
    },
    async entries(executionId) {
      const found: AuditEntry[] = []
      for await (const entry of audit.entries({ executionId })) found.push(entry)
      return found
    },
    readOutput: async key => readText(await storeOf('output').get(key)),
    run: (input, options = {}, machine = definition) =>
      runWorkflow(machine, { ...toRunOptions(ports, objects), input, ...options }),
  }
}

/** Every state with its own task, so that errors are those of the route. */
export function toRunOptions(ports: CsvProcessorPorts, objects: ObjectStorePort): RunWorkflowOptions {
  const record = bind(routes.AUDIT_LOGGING, ports)
  const fail = bind(routes.ERROR_HANDLING, ports)
  return {
    tasks: {
      ValidateCSVFile: bind(routes.CSV_VALIDATION, ports),
      ProcessSingleUserRecord: bind(routes.CSV_CHUNK_PROCESSING, ports),
      RecordSuccess: record,
      RecordProcessingError: record,
      RecordSystemError: record,
      AggregateResults: bind(routes.RESULT_AGGREGATION, ports),
      ValidationFailure: fail,
      MapProcessingFailure: fail,
      SystemFailure: fail,
    },
    substitutions,
    engine: { objects },
  }
}

function toEngineObjects(storeOf: (bucket: string) => ObjectStore): ObjectStorePort {
  return {
    async *get(bucket, key) {
      const found = await storeOf(bucket)
        .get(key)
        .catch(error => {
          throw new TaskFailure('S3.NoSuchKeyException', String(error))
        })
      yield* found.body
    },
    list: (bucket, prefix) => storeOf(bucket).list(prefix),
    put: (bucket, key, body) => storeOf(bucket).put(key, body),
  }
}
