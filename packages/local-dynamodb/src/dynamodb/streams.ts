/// <reference path="./dynalite.d.ts" />
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import dynaliteDb, {
  type Entries,
  type Item,
  type KeyElement,
  type Operation,
  type Store,
  type StoredTable,
} from 'dynalite/db/index.js'
import type { Change } from './stage.ts'

export interface Stream {
  readonly arn: string
  readonly tableName: string
  readonly label: string
  readonly viewType: string
  readonly keySchema: readonly KeyElement[]
  /** In ms. */
  readonly createdAt: number
  /** When it was disabled, in ms. */
  readonly endedAt?: number
  /** The number of the first record that is kept. */
  readonly first: number
}

export interface StreamRecord {
  readonly eventName: string
  readonly dynamodb: {
    /** In seconds. */
    readonly ApproximateCreationDateTime: number
    readonly [field: string]: unknown
  }
  readonly [field: string]: unknown
}

interface Identity {
  readonly Type: string
  readonly PrincipalId: string
}

interface State {
  stream: Stream
  next: number
  readonly storing: Set<number>
}

/** An ended stream, or a started one, and how it is stored. */
export interface StreamChange {
  readonly operations: readonly Operation[]
  /** Call it when the operations are stored. */
  apply(): void
}

export interface Streams {
  readonly all: () => readonly Stream[]
  active(table: string): Stream | undefined
  latest(table: string): Stream | undefined
  start(table: Pick<StoredTable, 'TableName' | 'TableArn' | 'KeySchema'>, viewType: string): StreamChange
  end(table: string): StreamChange
  /** Stores the operations and the records of these changes in one batch. */
  commit(operations: readonly Operation[], changes: readonly Change[], identity?: Identity): Promise<void>
  /** The number that a record stored from now on has at least. */
  endOf(arn: string): number
  read(stream: Stream, from: number, limit: number): Promise<{ records: StreamRecord[]; next: number }>
  /** Removes what is older than a day. */
  trim(): Promise<void>
}

const retentionMs = 24 * 3_600_000
const maxReadBytes = 1024 * 1024
const infoPrefix = 'stream~'

export function toSequenceNumber(number: number): string {
  return `1${String(number).padStart(20, '0')}`
}

/** Opens the streams of all tables: append-only logs beside the items. Writes to their tables are recorded from here on. */
export async function openStreams(store: Store, now: () => number): Promise<Streams> {
  const { db } = store
  const states = new Map<string, State>()
  const active = new Map<string, State>()
  for await (const value of db.values({ gte: infoPrefix, lt: `${infoPrefix}\uffff` })) {
    const stream = value as Stream
    let next = stream.first
    for await (const key of db.keys({ ...toRange(stream), reverse: true, limit: 1 })) {
      next = Math.max(next, Number(key.slice(-20)) + 1)
    }
    const state = { stream, next, storing: new Set<number>() }
    states.set(stream.arn, state)
    if (stream.endedAt === undefined) active.set(stream.tableName, state)
  }

  async function commit(
    operations: readonly Operation[],
    changes: readonly Change[],
    identity?: Identity,
  ): Promise<void> {
    const taken: { state: State; number: number }[] = []
    const records = changes.flatMap((change): Operation[] => {
      const state = active.get(change.tableName)
      if (state === undefined || isUnchanged(change)) return []
      const number = state.next
      state.next += 1
      state.storing.add(number)
      taken.push({ state, number })
      const value = toRecord(state.stream, change, number, now(), identity)
      return [{ type: 'put', key: toRecordKey(state.stream, number), value }]
    })
    try {
      await db.batch([...operations, ...records])
    } finally {
      for (const { state, number } of taken) state.storing.delete(number)
    }
  }

  function endOf(arn: string): number {
    const state = states.get(arn)
    // Later numbers may be stored before earlier ones.
    return state === undefined ? 0 : Math.min(state.next, ...state.storing)
  }

  recordWrites(store, table => active.has(table), commit)

  return {
    all: () => [...states.values()].map(({ stream }) => stream),
    active: table => active.get(table)?.stream,
    latest: table =>
      [...states.values()]
        .map(({ stream }) => stream)
        .filter(stream => stream.tableName === table)
        .sort((a, b) => a.createdAt - b.createdAt)
        .at(-1),
    start({ TableName, TableArn, KeySchema }, viewType) {
      let createdAt = now()
      const toArn = (): string => `${TableArn}/stream/${toLabel(createdAt)}`
      while (states.has(toArn())) createdAt += 1
      const stream: Stream = {
        arn: toArn(),
        tableName: TableName,
        label: toLabel(createdAt),
        viewType,
        keySchema: KeySchema,
        createdAt,
        first: 1,
      }
      return {
        operations: [{ type: 'put', key: `${infoPrefix}${stream.arn}`, value: stream }],
        apply() {
          const state = { stream, next: 1, storing: new Set<number>() }
          states.set(stream.arn, state)
          active.set(TableName, state)
        },
      }
    },
    end(table) {
      const state = active.get(table)
      if (state === undefined) return { operations: [], apply() {} }
      const ended = { ...state.stream, endedAt: now() }
      return {
        operations: [{ type: 'put', key: `${infoPrefix}${ended.arn}`, value: ended }],
        apply() {
          state.stream = ended
          active.delete(table)
        },
      }
    },
    commit,
    endOf,
    async read(stream, from, limit) {
      const end = endOf(stream.arn)
      const records: StreamRecord[] = []
      let bytes = 0
      let next = Math.max(from, end)
      if (from >= end) return { records, next: from }
      const range = { gte: toRecordKey(stream, from), lt: toRecordKey(stream, end) }
      for await (const [key, value] of db.iterator({ ...range, limit: limit + 1 })) {
        bytes += JSON.stringify(value).length
        if (records.length === limit || (records.length > 0 && bytes > maxReadBytes)) {
          next = Number(key.slice(-20))
          break
        }
        records.push(value as StreamRecord)
      }
      return { records, next }
    },
    async trim() {
      const oldest = now() - retentionMs
      for (const [arn, state] of states) {
        const old: Operation[] = []
        let { first } = state.stream
        const range = { gte: toRecordKey(state.stream, first), lt: toRecordKey(state.stream, endOf(arn)) }
        for await (const [key, value] of db.iterator(range)) {
          if ((value as StreamRecord).dynamodb.ApproximateCreationDateTime * 1000 > oldest) break
          old.push({ type: 'del', key })
          first = Number(key.slice(-20)) + 1
        }
        const { endedAt } = state.stream
        if (endedAt !== undefined && endedAt <= oldest) {
          states.delete(arn)
          await db.batch([...old, { type: 'del', key: `${infoPrefix}${arn}` }])
        } else if (old.length > 0) {
          state.stream = { ...state.stream, first }
          await db.batch([...old, { type: 'put', key: `${infoPrefix}${arn}`, value: state.stream }])
        }
      }
    },
  }
}

/** Puts the record of a change into the same batch as the item. */
function recordWrites(
  store: Store,
  isActive: (table: string) => boolean,
  commit: (operations: readonly Operation[], changes: readonly Change[]) => Promise<void>,
): void {
  const getItemDb = store.getItemDb
  store.getItemDb = (tableName): Entries => {
    const entries = getItemDb(tableName)
    if (!isActive(tableName)) return entries
    let before: Item | undefined
    return {
      ...entries,
      get: (key, done) =>
        entries.get(key, (error, item) => {
          before = item
          done(error, item)
        }),
      put(key, after, done) {
        const operation = { type: 'put', key: `item-${tableName}~${key}`, value: after } as const
        commit([operation], [{ tableName, before, after: after as Item }]).then(() => done(), done)
      },
      del(key, done) {
        const operation = { type: 'del', key: `item-${tableName}~${key}` } as const
        commit([operation], [{ tableName, before, after: undefined }]).then(() => done(), done)
      },
    }
  }
}

function isUnchanged({ before, after }: Change): boolean {
  if (before === undefined || after === undefined) return before === after
  return isDeepStrictEqual(before, JSON.parse(JSON.stringify(after)))
}

function toRecord(
  stream: Stream,
  { before, after }: Change,
  number: number,
  time: number,
  userIdentity: Identity | undefined,
): StreamRecord {
  const { viewType, arn } = stream
  const item = after ?? before ?? {}
  const Keys = Object.fromEntries(stream.keySchema.map(({ AttributeName: name }) => [name, item[name]]))
  const images = {
    ...(/^NEW/.test(viewType) && after && { NewImage: after }),
    ...(/OLD_IMAGES?$/.test(viewType) && before && { OldImage: before }),
  }
  return {
    eventID: createHash('md5').update(`${arn} ${number}`).digest('hex'),
    eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: arn.split(':')[3],
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(time / 1000),
      Keys,
      ...images,
      SequenceNumber: toSequenceNumber(number),
      SizeBytes: [Keys, ...Object.values(images)].reduce((sum, one) => sum + dynaliteDb.itemSize(one), 0),
      StreamViewType: viewType,
    },
    ...(userIdentity && { userIdentity }),
  }
}

function toLabel(time: number): string {
  return new Date(time).toISOString().replace(/Z$/, '')
}

function toRecordKey({ tableName, label }: Stream, number: number): string {
  return `record~${tableName}~${label}~${String(number).padStart(20, '0')}`
}

function toRange({ tableName, label }: Stream): { gte: string; lt: string } {
  const prefix = `record~${tableName}~${label}~`
  return { gte: prefix, lt: `${prefix}\uffff` }
}
