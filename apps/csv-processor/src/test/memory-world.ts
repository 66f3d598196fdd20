import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { StateMachine } from '@stepwright/asl'
import { type ObjectStorePort, TaskFailure } from '@stepwright/asl-engine'
import { bind, type RunWorkflowOptions, runWorkflow, type WorkflowRun } from '@stepwright/asl-engine/testing'
import { type AuditEntry, type AuditStore, createAuditLog, parseAuditKeys } from '@stepwright/audit-log'
import { createMemoryAuditStore } from '@stepwright/audit-log/memory'
import { sealAudit } from '@stepwright/audit-log/tasks'
import { createBatchWriter } from '@stepwright/batch-writer'
import { createMemoryRowSink, type MemoryRowSink } from '@stepwright/batch-writer/memory'
import { createChunkReader } from '@stepwright/csv-chunker/tasks'
import { type ObjectStore, readText } from '@stepwright/object-store'
import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import type { CompletedUploads } from '../completed-uploads.ts'
import { routes } from '../csv-processor.ts'
import { createFailurePorts } from '../handle-failure.ts'
import { createOutcomesOf } from '../outcomes.ts'
import type { CsvProcessorPorts } from '../ports.ts'
import { contributionTable, type UserContribution } from '../user-activity.ts'

const substitutions = {
  CsvProcessor: 'arn:aws:lambda:ap-northeast-1:123456789012:function:csv-processor',
  SealTrail: 'arn:aws:lambda:ap-northeast-1:123456789012:function:seal-trail',
  OutputBucket: 'output',
}

export const auditKeys = parseAuditKeys(`test:${createHash('sha256').update('test').digest('base64')}`)

const sealKeys = parseAuditKeys(`seal:${createHash('sha256').update('seal').digest('base64')}`)

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
  readonly sink: MemoryRowSink<UserContribution>
  readonly auditStore: AuditStore
  readonly objects: ObjectStorePort
  put(key: string, body: string | Uint8Array): Promise<ObjectCreated>
  entries(executionId: string): Promise<AuditEntry[]>
  /** Logins and posts by user, as the view `user_activity` has them. */
  activity(): Map<string, [number, number]>
  readOutput(key: string): Promise<string>
  run(input: unknown, options?: Partial<RunWorkflowOptions>, machine?: StateMachine): Promise<WorkflowRun>
}

export interface ObjectCreated {
  readonly time: string
  readonly detail: {
    readonly bucket: { readonly name: string }
    readonly object: {
      readonly key: string
      readonly size: number
      readonly etag: string
      readonly sequencer: string
    }
  }
}

export function createMemoryWorld({ versioned = false } = {}): MemoryWorld {
  const stores = new Map<string, ObjectStore>()
  const storeOf = (bucket = 'input'): ObjectStore => {
    const store = stores.get(bucket) ?? createMemoryObjectStore({ versioned })
    stores.set(bucket, store)
    return store
  }
  const sink = createMemoryRowSink<UserContribution>({ conflict: contributionTable.conflict })
  const auditStore = createMemoryAuditStore()
  const audit = createAuditLog({ store: auditStore, keys: auditKeys, sealKeys })
  const writer = createBatchWriter({ sink, maxRejected: 1_000_000 })
  const completed = new Map<string, string>()
  const uploads: CompletedUploads = {
    async complete(source, order) {
      const shown = [completed.get(source) ?? '', order].sort().at(-1) as string
      completed.set(source, shown)
      return shown
    },
  }
  const ports = toPorts({ storeOf, writer, uploads, ledger: sink.ledger, audit })
  const objects = toEngineObjects(storeOf)
  let puts = 0
  return {
    ports,
    sink,
    auditStore,
    objects,
    async put(key, body) {
      const { etag, versionId } = await storeOf('input').put(key, body)
      puts += 1
      const sequencer = String(puts).padStart(6, '0')
      const object = { key, size: Buffer.byteLength(body), etag: etag.replaceAll('"', ''), sequencer }
      const version = versionId === undefined ? {} : { 'version-id': versionId }
      return {
        time: '2024-08-02T12:34:56Z',
        detail: { bucket: { name: 'input' }, object: { ...object, ...version } },
      }
    },
    activity() {
      const found = new Map<string, [number, number]>()
      for (const { source, upload_order, user_id, login_count, post_count } of sink.rows()) {
        if (upload_order !== completed.get(source)) continue
        const [logins, posts] = found.get(user_id) ?? [0, 0]
        found.set(user_id, [logins + login_count, posts + post_count])
      }
      return found
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

/** The ports that are made of others. */
export function toPorts(
  made: Pick<CsvProcessorPorts, 'storeOf' | 'writer' | 'uploads' | 'ledger' | 'audit'>,
): CsvProcessorPorts {
  const readChunk = createChunkReader({ storeOf: made.storeOf })
  const readers = { ...made, readChunk }
  return { ...readers, outcomesOf: createOutcomesOf(readers), ...createFailurePorts(readers) }
}

/** Every state with its own task, so that errors are those of the route. */
export function toRunOptions(ports: CsvProcessorPorts, objects: ObjectStorePort): RunWorkflowOptions {
  const record = bind(routes.AUDIT_LOGGING, ports)
  const fail = bind(routes.ERROR_HANDLING, ports)
  const seal = bind(sealAudit, ports)
  return {
    tasks: {
      ValidateCSVFile: bind(routes.CSV_VALIDATION, ports),
      ProcessSingleUserRecord: bind(routes.CSV_CHUNK_PROCESSING, ports),
      RecordSuccess: record,
      RecordProcessingError: record,
      RecordSystemError: record,
      AggregateResults: bind(routes.RESULT_AGGREGATION, ports),
      SealTrail: seal,
      PublishUpload: bind(routes.UPLOAD_PUBLISHING, ports),
      SealFailedTrail: seal,
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
