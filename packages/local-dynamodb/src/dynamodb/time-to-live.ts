/// <reference path="./dynalite.d.ts" />
import { promisify } from 'node:util'
import deleteItem from 'dynalite/actions/deleteItem.js'
import type { Item, Store, StoredTable } from 'dynalite/db/index.js'
import type { Answer, Call, Engine } from './engine.ts'
import { jsonAnswer, refuse, runCall } from './engine-calls.ts'
import { createStage, findItem, withLocks } from './stage.ts'
import type { Streams } from './streams.ts'
import type { SettingsStore } from './table-settings.ts'

export interface TimeToLiveOptions {
  readonly store: Store
  readonly settings: SettingsStore
}

/** Adds UpdateTimeToLive, and DescribeTimeToLive of what it has set. */
export function withTimeToLive(engine: Engine, { store, settings }: TimeToLiveOptions): Engine {
  async function update(table: string, input: Call['input']): Promise<Answer> {
    const { AttributeName, Enabled } = (input['TimeToLiveSpecification'] ?? {}) as Record<string, unknown>
    if (typeof AttributeName !== 'string' || AttributeName.length < 1 || AttributeName.length > 255) {
      return refuse(
        'ValidationException',
        'TimeToLiveSpecification.AttributeName must have 1 to 255 characters',
      )
    }
    if (typeof Enabled !== 'boolean') {
      return refuse('ValidationException', 'TimeToLiveSpecification.Enabled must be true or false')
    }
    const { timeToLive: current, ...rest } = settings.of(table)
    if (Enabled ? current === AttributeName : current === undefined) {
      return refuse('ValidationException', `TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`)
    }
    if (current !== undefined && current !== AttributeName) {
      return refuse(
        'ValidationException',
        `TimeToLive is active on a different AttributeName: current AttributeName is ${current}`,
      )
    }
    const wanted = { ...rest, ...(Enabled && { timeToLive: AttributeName }) }
    await store.db.batch([settings.toOperation(table, wanted)])
    settings.set(table, wanted)
    return jsonAnswer(200, { TimeToLiveSpecification: { AttributeName, Enabled } })
  }

  return async call => {
    if (!/^(Update|Describe)TimeToLive$/.test(call.operation)) return engine(call)
    const table = String(call.input['TableName'])
    const answer = await runCall(engine, call, 'DescribeTimeToLive', { TableName: call.input['TableName'] })
    if (answer.status !== 200) return answer
    if (call.operation === 'UpdateTimeToLive') return update(table, call.input)
    const { timeToLive: AttributeName } = settings.of(table)
    if (AttributeName === undefined) return answer
    return jsonAnswer(200, { TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName } })
  }
}

const service = { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' }
const maxAgeSeconds = 5 * 365 * 86_400

/** Deletes the items whose time has come, and returns how many they were. */
export async function deleteExpiredItems(
  { store, settings }: TimeToLiveOptions,
  streams: Streams,
  now: number,
): Promise<number> {
  let deleted = 0
  for (const [tableName, { timeToLive }] of [...settings.all()]) {
    if (timeToLive === undefined) continue
    const table = (await store.db.get(`table~${tableName}`)) as StoredTable | undefined
    if (table?.TableStatus !== 'ACTIVE') continue
    const prefix = `item-${tableName}~`
    for await (const [stored, value] of store.db.iterator({ gte: prefix, lt: `${prefix}\uffff` })) {
      if (!isExpired(value as Item, timeToLive, now)) continue
      const place = { tableName, key: stored.slice(prefix.length) }
      deleted += await withLocks(store, [place], async () => {
        // It may have been changed meanwhile.
        const item = await findItem(store, place)
        if (item === undefined || !isExpired(item, timeToLive, now)) return 0
        const stage = createStage(store)
        const Key = Object.fromEntries(table.KeySchema.map(({ AttributeName: name }) => [name, item[name]]))
        await promisify(deleteItem)(stage.store, { TableName: tableName, Key })
        await streams.commit(stage.operations, stage.changes, service)
        return 1
      })
    }
  }
  return deleted
}

/** Only a number counts, and none of more than five years ago. */
function isExpired(item: Item, attribute: string, now: number): boolean {
  const { N } = (item[attribute] ?? {}) as { N?: string }
  const seconds = now / 1000
  return N !== undefined && Number(N) < seconds && Number(N) > seconds - maxAgeSeconds
}
