import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { PayloadTooLargeError } from '@stepwright/errors'
import { type DynamoDbAttributes, powertoolsAttributes } from './dynamodb-attributes.ts'
import { attributeBytes, fromAttributeValue, toAttributeValue } from './dynamodb-value.ts'
import type { Claim, IdempotencyStore, KeyState, Lock, LockSpan, Outcome } from './idempotency-store.ts'
import { lazily } from './lazy-client.ts'

type Client = Pick<DynamoDBClient, 'send'>

export interface DynamoDbIdempotencyStoreOptions {
  /** A client, or how to make one when it is first needed. */
  readonly client: Client | (() => Client)
  readonly tableName: string
  /** Where a table of Powertools names its attributes differently. */
  readonly attributes?: Partial<DynamoDbAttributes>
  /** For a table with a sort key: its name, and the partition that the records go to. */
  readonly sortKey?: { readonly attribute: string; readonly partition: string }
  /**
   * The most by which the clocks of two callers may differ; every expiry is put off by it, so that nobody takes
   * over a lock that its owner still counts on. @default 10_000
   */
  readonly clockSkewMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

type Item = Record<string, AttributeValue>

/** Records in a DynamoDB table of Powertools' layout, with fenced locks. Needs conditional writes, no transactions. */
export function createDynamoDbIdempotencyStore({
  client,
  tableName: TableName,
  attributes,
  sortKey,
  clockSkewMs = 10_000,
  now = Date.now,
}: DynamoDbIdempotencyStoreOptions): IdempotencyStore {
  const connect = lazily(client)
  const names = { ...powertoolsAttributes, ...attributes }
  const target = (key: string) => ({ TableName, Key: keyOf(key) })
  const keyOf = (key: string): Item =>
    sortKey
      ? { [names.key]: { S: sortKey.partition }, [sortKey.attribute]: { S: key } }
      : { [names.key]: { S: key } }
  const secondsAfter = (durationMs: number): AttributeValue =>
    number(Math.ceil((now() + durationMs + clockSkewMs) / 1000))
  const aliases = (...used: readonly (keyof DynamoDbAttributes)[]): Record<string, string> =>
    Object.fromEntries(used.map(each => [`#${each}`, names[each]]))
  const lockTimes = ({ lockMs, ttlMs }: LockSpan) => ({
    lockExpiration: number(Math.ceil(now() + lockMs + clockSkewMs)),
    expiration: secondsAfter(Math.max(lockMs, ttlMs)),
  })

  const read = async (key: string): Promise<Item | undefined> => {
    const { Item } = await connect().send(new GetItemCommand({ ...target(key), ConsistentRead: true }))
    return Item
  }

  const isHeldBy = ({ token }: Lock, item: Item): boolean =>
    item[names.owner]?.S === token && item[names.status]?.S === 'INPROGRESS'

  const put = (claim: Claim): PutItemCommand => {
    const { lockExpiration, expiration } = lockTimes(claim)
    return new PutItemCommand({
      TableName,
      Item: {
        ...keyOf(claim.key),
        [names.status]: { S: 'INPROGRESS' },
        [names.lockExpiration]: lockExpiration,
        [names.expiration]: expiration,
        [names.owner]: { S: claim.token },
        ...(claim.fingerprint !== undefined && { [names.fingerprint]: { S: claim.fingerprint } }),
      },
      ConditionExpression: `attribute_not_exists(#key) OR ${expired} OR (${owned} AND ${notShorter})`,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ExpressionAttributeNames: aliases('key', 'status', 'lockExpiration', 'expiration', 'owner'),
      ExpressionAttributeValues: {
        ':inProgress': { S: 'INPROGRESS' },
        ':nowMs': number(now()),
        ':nowSeconds': number(Math.floor(now() / 1000)),
        ':token': { S: claim.token },
        ':lockExpiration': lockExpiration,
      },
    })
  }

  return {
    async find(key: string) {
      const item = await read(key)
      return item && toState(item, names, now())
    },

    async acquire(claim: Claim) {
      // What stands in the way may be gone by the time it is read.
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const refusal = await refusalOf(connect().send(put(claim)))
        if (refusal === undefined) return { state: 'acquired' }
        // DynamoDB shows it; what stands in for it may not.
        const item = refusal.Item ?? (await read(claim.key)) ?? {}
        if (isHeldBy(claim, item)) return { state: 'acquired' }
        const state = toState(item, names, now())
        if (state) return state
      }
      return { state: 'held', expiresInMs: 0 }
    },

    async renew(lock: Lock, span: LockSpan) {
      const { lockExpiration, expiration } = lockTimes(span)
      const refusal = await refusalOf(
        connect().send(
          new UpdateItemCommand({
            ...target(lock.key),
            UpdateExpression: 'SET #lockExpiration = :lockExpiration, #expiration = :expiration',
            ConditionExpression: `${owned} AND ${notShorter}`,
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            ExpressionAttributeNames: aliases('status', 'owner', 'lockExpiration', 'expiration'),
            ExpressionAttributeValues: {
              ':inProgress': { S: 'INPROGRESS' },
              ':token': { S: lock.token },
              ':lockExpiration': lockExpiration,
              ':expiration': expiration,
            },
          }),
        ),
      )
      return refusal === undefined || isHeldBy(lock, refusal.Item ?? {})
    },

    async complete(lock: Lock, outcome: Outcome, ttlMs: number) {
      const { data, encoding } = encode(outcome.ok ? outcome.value : outcome.failure)
      const set = ['#status = :status', '#expiration = :expiration']
      const remove: string[] = []
      for (const [name, value] of Object.entries({ data, encoding })) {
        if (value) set.push(`#${name} = :${name}`)
        else remove.push(`#${name}`)
      }
      return succeeds(
        connect().send(
          new UpdateItemCommand({
            ...target(lock.key),
            UpdateExpression: `SET ${set.join(', ')}${remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''}`,
            ConditionExpression: '#owner = :token',
            ExpressionAttributeNames: aliases('status', 'owner', 'expiration', 'data', 'encoding'),
            ExpressionAttributeValues: {
              // Powertools would return a failure's data as a result if it were COMPLETED.
              ':status': { S: outcome.ok ? 'COMPLETED' : 'FAILED' },
              ':token': { S: lock.token },
              ':expiration': secondsAfter(ttlMs),
              ...(data && { ':data': data }),
              ...(encoding && { ':encoding': encoding }),
            },
          }),
        ),
      )
    },

    release(lock: Lock) {
      return succeeds(
        connect().send(
          new DeleteItemCommand({
            ...target(lock.key),
            ConditionExpression: owned,
            ExpressionAttributeNames: aliases('status', 'owner'),
            ExpressionAttributeValues: { ':inProgress': { S: 'INPROGRESS' }, ':token': { S: lock.token } },
          }),
        ),
      )
    },
  }
}

/** The SDK repeats a call whose answer got lost, so an owner may find its own lock. */
const owned = '(#status = :inProgress AND #owner = :token)'
const notShorter = '#lockExpiration <= :lockExpiration'
// Unlike Powertools, a running lock counts until its own expiry, even if that is after the record's.
const expired = [
  '(#status <> :inProgress AND #expiration < :nowSeconds)',
  '(#status = :inProgress AND attribute_exists(#lockExpiration) AND #lockExpiration < :nowMs)',
  '(#status = :inProgress AND attribute_not_exists(#lockExpiration) AND #expiration < :nowSeconds)',
].join(' OR ')

async function succeeds(write: Promise<unknown>): Promise<boolean> {
  return (await refusalOf(write)) === undefined
}

async function refusalOf(write: Promise<unknown>): Promise<ConditionalCheckFailedException | undefined> {
  try {
    await write
    return undefined
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return error
    throw error
  }
}

function toState(item: Item, names: DynamoDbAttributes, now: number): KeyState | undefined {
  const read = (name: string): unknown => {
    const attribute = item[name]
    return attribute && fromAttributeValue(attribute)
  }
  const status = read(names.status)
  const lockExpiration = read(names.lockExpiration)
  const counts = status === 'INPROGRESS' && typeof lockExpiration === 'number'
  const expiresInMs = counts
    ? lockExpiration - now
    : (Number(read(names.expiration)) - Math.floor(now / 1000)) * 1000
  if (!(expiresInMs >= 0)) return undefined
  const fingerprint = read(names.fingerprint) as string | undefined
  if (status === 'INPROGRESS') return { state: 'held', expiresInMs, fingerprint }
  const stored = read(names.data)
  const value = read(names.encoding) === 'json' ? JSON.parse(String(stored)) : stored
  const outcome: Outcome = status === 'FAILED' ? { ok: false, failure: value } : { ok: true, value }
  return { state: 'settled', outcome, expiresInMs, fingerprint }
}

function encode(value: unknown): { data?: AttributeValue; encoding?: AttributeValue } {
  if (value === undefined) return {}
  const json = JSON.stringify(value)
  const data = toAttributeValue(JSON.parse(json))
  // Types of its own may take twice as much as the text.
  if (data !== undefined && attributeBytes(data) <= maxDataBytes) return { data }
  const bytes = Buffer.byteLength(json)
  if (bytes <= maxDataBytes) return { data: { S: json }, encoding: { S: 'json' } }
  throw new PayloadTooLargeError(
    `DynamoDB keeps at most ${maxDataBytes} bytes of a result, which has ${bytes}`,
  )
}

/** An item has at most 409,600 bytes, with the key and everything else. */
const maxDataBytes = 390_000

function number(value: number): AttributeValue {
  return { N: String(value) }
}
