/// <reference path="./dynalite.d.ts" />
import type { Item, Operation, Refusal, Store } from 'dynalite/db/index.js'
import type { Answer, Call, Engine } from './engine.ts'
import { jsonAnswer, refuse } from './engine-calls.ts'
import { toItemCollections } from './item-collections.ts'
import { createRequestTokens } from './request-tokens.ts'
import { type Change, createStage, findItem, withLocks } from './stage.ts'
import { type Action, parseActions } from './transact-request.ts'

interface Reason {
  readonly Code: string
  readonly Message?: string
  readonly Item?: Item
}

export interface TransactionOptions {
  readonly store: Store
  readonly now: () => number
  /** Stores all operations in one batch, or none. */
  readonly commit: (operations: readonly Operation[], changes: readonly Change[]) => Promise<void>
}

/**
 * Adds TransactWriteItems and TransactGetItems to an engine that does not have them. A transaction holds the locks of
 * its items, and is stored in one batch together with its `ClientRequestToken`: a killed process leaves all or nothing.
 */
export function withTransactions(engine: Engine, { store, now, commit }: TransactionOptions): Engine {
  const tokens = createRequestTokens(store, now)

  async function write(input: Call['input']): Promise<Answer> {
    const actions = await parseActions(store, input, 'TransactWriteItems')
    const token = tokens.parse(input)
    const known = await tokens.claim(token)
    if (known !== undefined) return known
    try {
      return await withLocks(store, placesOf(actions), async () => {
        const stage = createStage(store)
        const outcome = await runAll(actions, stage.store)
        if ('cancelled' in outcome) return outcome.cancelled
        await commit([...stage.operations, ...tokens.toOperations(token)], stage.changes)
        return jsonAnswer(200, {
          ...toCapacities(outcome.results, 'WriteCapacityUnits'),
          ...(input['ReturnItemCollectionMetrics'] === 'SIZE' && toItemCollections(actions)),
        })
      })
    } finally {
      tokens.release(token)
    }
  }

  async function read(input: Call['input']): Promise<Answer> {
    const actions = await parseActions(store, input, 'TransactGetItems')
    return withLocks(store, placesOf(actions), async () => {
      const outcome = await runAll(actions, store)
      if ('cancelled' in outcome) return outcome.cancelled
      const Responses = outcome.results.map(({ Item }) => (Item === undefined ? {} : { Item }))
      return jsonAnswer(200, { ...toCapacities(outcome.results, 'ReadCapacityUnits'), Responses })
    })
  }

  return async call => {
    if (call.operation !== 'TransactWriteItems' && call.operation !== 'TransactGetItems') return engine(call)
    try {
      return await (call.operation === 'TransactGetItems' ? read(call.input) : write(call.input))
    } catch (error) {
      if (isRefusal(error)) return jsonAnswer(error.statusCode, error.body)
      throw error
    }
  }
}

function placesOf(actions: readonly Action[]): NonNullable<Action['place']>[] {
  return actions.flatMap(({ place }) => place ?? [])
}

/** Every action is tried, so that each has a reason of its own. */
async function runAll(
  actions: readonly Action[],
  store: Store,
): Promise<{ results: readonly Item[] } | { cancelled: Answer }> {
  const results: Item[] = []
  const reasons: Reason[] = []
  for (const action of actions) {
    try {
      if (action.refusal) throw action.refusal
      results.push(await action.run(store))
      reasons.push({ Code: 'None' })
    } catch (error) {
      if (!isRefusal(error)) throw error
      reasons.push(await toReason(action, store, error))
    }
  }
  if (reasons.every(({ Code }) => Code === 'None')) return { results }
  const codes = reasons.map(({ Code }) => Code).join(', ')
  return {
    cancelled: refuse(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
      { CancellationReasons: reasons },
    ),
  }
}

async function toReason(action: Action, store: Store, { body }: Refusal): Promise<Reason> {
  const Message = body.message ?? ''
  if (body.__type.endsWith('#ValidationException')) return { Code: 'ValidationError', Message }
  const Code = body.__type.replace(/^.*#|Exception$/g, '')
  if (!action.returnsItem || action.place === undefined) return { Code, Message }
  const Item = await findItem(store, action.place)
  return { Code, Message, ...(Item && { Item }) }
}

/** An action of a transaction takes twice the capacity. */
function toCapacities(
  results: readonly Item[],
  name: 'ReadCapacityUnits' | 'WriteCapacityUnits',
): { ConsumedCapacity?: readonly Item[] } {
  const units = new Map<string, { units: number; perIndex: boolean }>()
  for (const { ConsumedCapacity } of results) {
    if (ConsumedCapacity === undefined) continue
    const { TableName, CapacityUnits, Table } = ConsumedCapacity as {
      TableName: string
      CapacityUnits: number
      Table?: object
    }
    const sum = (units.get(TableName)?.units ?? 0) + 2 * CapacityUnits
    units.set(TableName, { units: sum, perIndex: Table !== undefined })
  }
  if (units.size === 0) return {}
  return {
    ConsumedCapacity: [...units].map(([TableName, { units: CapacityUnits, perIndex }]) => ({
      TableName,
      CapacityUnits,
      [name]: CapacityUnits,
      ...(perIndex && { Table: { CapacityUnits, [name]: CapacityUnits } }),
    })),
  }
}

function isRefusal(error: unknown): error is Refusal {
  return typeof (error as Partial<Refusal>).statusCode === 'number'
}
