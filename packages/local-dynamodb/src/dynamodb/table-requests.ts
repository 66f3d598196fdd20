/// <reference path="./dynalite.d.ts" />
import type { Operation, Store, StoredTable } from 'dynalite/db/index.js'
import type { Answer, Call, Engine } from './engine.ts'
import { jsonAnswer, refuse, runCall } from './engine-calls.ts'
import { findStreamProblem, type StreamSpecification } from './stream-specification.ts'
import type { StreamChange, Streams } from './streams.ts'
import type { SettingsStore, TableSettings } from './table-settings.ts'
import { findTagProblem, type Tag, toTagOperations } from './tags.ts'

export interface TableRequestOptions {
  readonly store: Store
  readonly settings: SettingsStore
  readonly streams: Streams
  readonly now: () => number
}

type Description = StoredTable & Readonly<Record<string, unknown>>

/** The fields of UpdateTable that dynalite knows. */
const ownFields = ['ProvisionedThroughput', 'BillingMode', 'GlobalSecondaryIndexUpdates']

/** Adds deletion protection, table classes, tags at creation, and the start and end of streams to tables. */
export function withTableRequests(
  engine: Engine,
  { store, settings, streams, now }: TableRequestOptions,
): Engine {
  const running = new Map<string, Promise<unknown>>()

  /** Changes of one table come one after another. */
  function alone(table: string, run: () => Promise<Answer>): Promise<Answer> {
    const result = (running.get(table) ?? Promise.resolve()).then(run)
    const ended = result
      .catch(() => {})
      .then(() => {
        if (running.get(table) === ended) running.delete(table)
      })
    running.set(table, ended)
    return result
  }

  async function create(call: Call, table: string): Promise<Answer> {
    const { Tags = [], TableClass, DeletionProtectionEnabled } = call.input
    const specification = (call.input['StreamSpecification'] ?? {}) as StreamSpecification
    const problem = findTagProblem(Tags) ?? findStreamProblem(specification) ?? findClassProblem(TableClass)
    if (problem !== undefined) return refuse('ValidationException', problem)
    const wanted: TableSettings = {
      ...(DeletionProtectionEnabled === true && { deletionProtection: true }),
      ...(TableClass != null && { tableClass: String(TableClass) }),
    }
    const stream = specification.StreamEnabled
      ? streams.start(
          {
            TableName: table,
            TableArn: `${arnPrefix(store)}${table}`,
            KeySchema: call.input['KeySchema'] as StoredTable['KeySchema'],
          },
          specification.StreamViewType ?? '',
        )
      : nothing
    const operations = [
      settings.toOperation(table, wanted),
      ...toTagOperations(table, Tags as readonly Tag[]),
      ...stream.operations,
    ]
    const answer = await settings.storeWithTable(table, operations, () => engine(call))
    if (answer.status !== 200) return answer
    settings.set(table, wanted)
    stream.apply()
    return answer
  }

  async function update(call: Call, table: string): Promise<Answer> {
    const { TableClass, DeletionProtectionEnabled, StreamSpecification } = call.input
    const found = await runCall(engine, call, 'DescribeTable', { TableName: table })
    if (found.status !== 200) return found
    const { Table } = JSON.parse(found.body) as { Table: Description }
    const specification = StreamSpecification as StreamSpecification | undefined
    const problem = findClassProblem(TableClass) ?? (specification && findStreamProblem(specification))
    if (problem !== undefined) return refuse('ValidationException', problem)
    const isOn = streams.active(table) !== undefined
    if (specification && specification.StreamEnabled === isOn) {
      const message = isOn
        ? `Table already has an enabled stream: ${table}`
        : `Table is already disabled for streams: ${table}`
      return refuse('ValidationException', message)
    }
    const before = settings.of(table)
    const wanted: TableSettings = {
      ...before,
      ...(typeof DeletionProtectionEnabled === 'boolean' && {
        deletionProtection: DeletionProtectionEnabled,
      }),
      ...(TableClass != null && { tableClass: String(TableClass), tableClassChangedAt: now() }),
    }
    const stream =
      specification === undefined
        ? nothing
        : specification.StreamEnabled
          ? streams.start(Table, specification.StreamViewType ?? '')
          : streams.end(table)
    const operations = [settings.toOperation(table, wanted), ...stream.operations]
    const changesOwn = [TableClass, DeletionProtectionEnabled, StreamSpecification].some(one => one != null)
    const isForEngine = !changesOwn || ownFields.some(name => call.input[name] != null)
    const answer = isForEngine
      ? await settings.storeWithTable(table, operations, () => engine(call))
      : await storeAlone(operations, Table)
    if (answer.status !== 200) return answer
    settings.set(table, wanted)
    stream.apply()
    return answer
  }

  async function storeAlone(operations: readonly Operation[], Table: Description): Promise<Answer> {
    await store.db.batch(operations)
    return jsonAnswer(200, { TableDescription: Table })
  }

  async function remove(call: Call, table: string): Promise<Answer> {
    if (settings.of(table).deletionProtection) {
      return refuse(
        'ValidationException',
        'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
      )
    }
    const stream = streams.end(table)
    const operations = [settings.toOperation(table, undefined), ...stream.operations]
    const answer = await settings.storeWithTable(table, operations, () => engine(call))
    if (answer.status !== 200) return answer
    settings.set(table, undefined)
    stream.apply()
    return answer
  }

  function describe(answer: Answer): Answer {
    if (answer.status !== 200) return answer
    const content = JSON.parse(answer.body) as { Table?: Description; TableDescription?: Description }
    return jsonAnswer(200, {
      ...(content.Table && { Table: addSettings(content.Table) }),
      ...(content.TableDescription && { TableDescription: addSettings(content.TableDescription) }),
    })
  }

  function addSettings(table: Description): object {
    const { deletionProtection = false, tableClass, tableClassChangedAt } = settings.of(table.TableName)
    const stream = streams.active(table.TableName)
    const latest = streams.latest(table.TableName)
    return {
      ...table,
      DeletionProtectionEnabled: deletionProtection,
      ...(tableClass !== undefined && {
        TableClassSummary: {
          TableClass: tableClass,
          ...(tableClassChangedAt !== undefined && { LastUpdateDateTime: tableClassChangedAt / 1000 }),
        },
      }),
      ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.viewType } }),
      ...(latest && { LatestStreamArn: latest.arn, LatestStreamLabel: latest.label }),
    }
  }

  const changes: Readonly<Record<string, (call: Call, table: string) => Promise<Answer>>> = {
    CreateTable: create,
    UpdateTable: update,
    DeleteTable: remove,
  }
  return async call => {
    if (call.operation === 'DescribeTable') return describe(await engine(call))
    const change = changes[call.operation]
    if (change === undefined) return engine(call)
    const table = toTableName(call.input['TableName'])
    if (table === undefined) return engine(call)
    return describe(await alone(table, () => change(call, table)))
  }
}

const nothing: StreamChange = { operations: [], apply() {} }

/** dynalite refuses what is not a name. */
function toTableName(given: unknown): string | undefined {
  return typeof given === 'string' && /^[\w.-]{3,255}$/.test(given) ? given : undefined
}

function arnPrefix({ tableDb }: Store): string {
  return `arn:aws:dynamodb:${tableDb.awsRegion}:${tableDb.awsAccountId}:table/`
}

function findClassProblem(given: unknown): string | undefined {
  if (given == null || given === 'STANDARD' || given === 'STANDARD_INFREQUENT_ACCESS') return undefined
  return `1 validation error detected: Value '${given}' at 'tableClass' failed to satisfy constraint: Member must satisfy enum value set: [STANDARD, STANDARD_INFREQUENT_ACCESS]`
}
