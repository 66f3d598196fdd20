/// <reference path="./dynalite.d.ts" />
import { promisify } from 'node:util'
import deleteItem from 'dynalite/actions/deleteItem.js'
import getItem from 'dynalite/actions/getItem.js'
import putItem from 'dynalite/actions/putItem.js'
import updateItem from 'dynalite/actions/updateItem.js'
import db, { type Item, type Refusal, type Store, type StoredTable } from 'dynalite/db/index.js'
import deleteRules from 'dynalite/validations/deleteItem.js'
import getRules from 'dynalite/validations/getItem.js'
import validations from 'dynalite/validations/index.js'
import putRules from 'dynalite/validations/putItem.js'
import updateRules from 'dynalite/validations/updateItem.js'
import { findItem, findTable, type Place } from './stage.ts'

/** One action of a transaction, validated as the call of the same name is. */
export interface Action {
  /** The item's place; undefined where its key is not valid. */
  readonly place: Place | undefined
  readonly table: StoredTable
  /** The item, or its key. */
  readonly item: Item
  /** What is wrong with the key. */
  readonly refusal: Refusal | undefined
  readonly returnsItem: boolean
  run(store: Store): Promise<Item>
}

interface Kind {
  readonly rules: { readonly types: object; readonly custom: unknown }
  readonly fields: readonly string[]
  readonly required?: string
  readonly run: (store: Store, data: Item) => Promise<Item | undefined>
}

const conditionFields = [
  'TableName',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
]

const writeKinds: Readonly<Record<string, Kind>> = {
  ConditionCheck: {
    rules: deleteRules,
    fields: ['Key', ...conditionFields],
    required: 'ConditionExpression',
    run: checkCondition,
  },
  Put: { rules: putRules, fields: ['Item', ...conditionFields], run: promisify(putItem) },
  Delete: { rules: deleteRules, fields: ['Key', ...conditionFields], run: promisify(deleteItem) },
  Update: {
    rules: updateRules,
    fields: ['Key', 'UpdateExpression', ...conditionFields],
    required: 'UpdateExpression',
    run: promisify(updateItem),
  },
}

const getKinds: Readonly<Record<string, Kind>> = {
  Get: {
    rules: getRules,
    fields: ['TableName', 'Key', 'ProjectionExpression', 'ExpressionAttributeNames'],
    run: promisify(getItem),
  },
}

const maxActions = 100
const maxTransactionBytes = 4 * 1024 * 1024

/** The actions of a TransactWriteItems or TransactGetItems call. Throws dynalite's refusals. */
export async function parseActions(
  store: Store,
  input: Readonly<Record<string, unknown>>,
  operation: 'TransactWriteItems' | 'TransactGetItems',
): Promise<readonly Action[]> {
  const given = input['TransactItems']
  checkLength(given)
  const kinds = operation === 'TransactGetItems' ? getKinds : writeKinds
  const parsed = given.map((entry, index) => parseAction(store, input, kinds, entry, index))
  const actions: Action[] = []
  for (const { kind, data } of parsed) actions.push(await toAction(store, kind, data))
  const places = actions.flatMap(({ place }) => (place ? [`${place.tableName} ${place.key}`] : []))
  if (new Set(places).size < places.length) {
    throw db.validationError('Transaction request cannot include multiple operations on one item')
  }
  if (actions.reduce((sum, { item }) => sum + db.itemSize(item), 0) > maxTransactionBytes) {
    throw db.validationError('The items of a transaction cannot exceed 4 MB in total')
  }
  return actions
}

function checkLength(given: unknown): asserts given is readonly unknown[] {
  const refuse = (value: string, constraint: string): Refusal =>
    db.validationError(
      `1 validation error detected: Value ${value} at 'transactItems' failed to satisfy constraint: Member must ${constraint}`,
    )
  if (!Array.isArray(given)) throw refuse('null', 'not be null')
  if (given.length === 0) throw refuse("'[]'", 'have length greater than or equal to 1')
  if (given.length > maxActions) {
    throw refuse(`'[${given.length} actions]'`, `have length less than or equal to ${maxActions}`)
  }
}

function parseAction(
  store: Store,
  input: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, Kind>>,
  entry: unknown,
  index: number,
): { kind: Kind; data: Item } {
  const named = Object.entries((entry ?? {}) as object).filter(
    ([name, value]) => value != null && name in kinds,
  )
  const [name = '', value] = named[0] ?? []
  const kind = kinds[name]
  if (kind === undefined || named.length > 1) {
    const wanted = kinds === getKinds ? 'Get' : 'one of Check, Put, Update or Delete'
    throw db.validationError(`TransactItems can only contain ${wanted}`)
  }
  const { required } = kind
  if (required !== undefined && (value as Item)[required] == null) {
    const path = [name, required].map(part => `${part[0]?.toLowerCase()}${part.slice(1)}`).join('.')
    throw db.validationError(
      `1 validation error detected: Value null at 'transactItems.${index + 1}.member.${path}' failed to satisfy constraint: Member must not be null`,
    )
  }
  const { ReturnConsumedCapacity } = input
  const picked = Object.fromEntries(
    Object.entries(value as Item).filter(([key]) => kind.fields.includes(key)),
  )
  const isRead = kinds === getKinds
  const data = validations.checkTypes(
    { ...picked, ReturnConsumedCapacity, ...(isRead && { ConsistentRead: true }) },
    kind.rules.types,
  )
  validations.checkValidations(data, kind.rules.types, kind.rules.custom, store)
  const { ReturnValuesOnConditionCheckFailure } = value as Item
  return { kind, data: { ...data, ReturnValuesOnConditionCheckFailure } }
}

async function toAction(store: Store, kind: Kind, data: Item): Promise<Action> {
  const table = await findTable(store, String(data['TableName']))
  const item = (data['Item'] ?? data['Key']) as Item
  const refusal = data['Item'] ? db.validateItem(item, table) : db.validateKey(item, table)
  return {
    table,
    item,
    refusal: refusal ?? undefined,
    place: refusal ? undefined : { tableName: table.TableName, key: db.createKey(item, table) },
    returnsItem: data['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD',
    run: async on => (await kind.run(on, data)) ?? {},
  }
}

async function checkCondition(store: Store, data: Item): Promise<Item> {
  const table = await findTable(store, String(data['TableName']))
  const key = db.createKey(data['Key'] as Item, table)
  const item = await findItem(store, { tableName: table.TableName, key })
  const refusal = db.checkConditional(data, item)
  if (refusal) throw refusal
  return { ConsumedCapacity: db.addConsumedCapacity(data, false, item) }
}
