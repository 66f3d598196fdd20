import { type AttributeValue, DynamoDBClient, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { createWithholding } from '@stepwright/local-cloud'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { app } from './app.ts'
import { latestSchemaKey, typesKey } from './dataset.ts'
import { type RunningTransform, startTransformApp } from './test/running-transform.ts'

const timeout = 120_000
const { statements, statementsOf, withhold, withoutRetries } = createWithholding(app)

describe('what the roles are allowed', { timeout }, () => {
  let world: RunningTransform
  beforeAll(async () => {
    const definition = JSON.parse(JSON.stringify(withoutRetries('transform')), (key, value) =>
      key === 'Seconds' ? 0 : value,
    )
    world = await startTransformApp({ enforcePolicies: statementsOf, definitions: { transform: definition } })
  }, timeout)
  afterAll(() => world[Symbol.asyncDispose](), timeout)

  const ds = '2025-09-07'
  let tables = 0
  const newTable = (): { readonly domain: string; readonly table_name: string } => {
    tables += 1
    return { domain: 'shop', table_name: `orders-${tables}` }
  }
  const put = (table: { readonly table_name: string }, name: string, body: string): Promise<unknown> =>
    world.raw.put(`shop/${table.table_name}/ds=${ds}/${name}`, body)
  const isDone = async (input: object): Promise<boolean> => (await world.run(input)).status === 'SUCCEEDED'

  /** A day is published, made anew with another column, and left alone the third time. */
  async function isTransformed(): Promise<boolean> {
    const table = newTable()
    await put(table, 'a.csv', 'id,price\n1,2.5\n')
    if (!(await isDone({ ...table, ds }))) return false
    await put(table, 'a.csv', 'id,price,status\n1,2.5,NEW\n')
    if (!(await isDone({ ...table, ds, reprocess: true }))) return false
    return isDone({ ...table, ds })
  }

  /** What cannot be transformed fails by its name, and leaves no lock behind. */
  async function failsAsItShould(): Promise<boolean> {
    const table = newTable()
    const none = await world.run({ ...table, ds })
    if (none.error !== 'NO_RAW_DATA') return false
    await put(table, 'a.csv', Buffer.from([0xff, 0xfe, 0x00]).toString('latin1'))
    world.running.intercept('glue:startJobRun', async () => {
      throw Object.assign(new Error('out of memory'), { name: 'Glue.JobRunFailed' })
    })
    const broken = await world.run({ ...table, ds })
    world.running.intercept('glue:startJobRun')
    if (broken.error !== 'GLUE_JOB_FAILED') return false
    await put(table, 'a.csv', 'id\n1\n')
    return isDone({ ...table, ds })
  }

  async function isStartedByMarker(): Promise<boolean> {
    const table = newTable()
    const started = Promise.withResolvers<boolean>()
    world.running.intercept('StartTransform', async call => {
      const answer = call()
      answer.then(
        () => started.resolve(true),
        () => started.resolve(false),
      )
      return answer
    })
    await put(table, 'a.csv', 'id\n1\n')
    const ended = world.running.ended('transform')
    await world.raw.put(`shop/${table.table_name}/ds=${ds}/_SUCCESS`, 'complete')
    return (await started.promise) && (await ended).status === 'SUCCEEDED'
  }

  /** A fingerprint that goes before it is accepted is for the next run. */
  async function missesFingerprint(): Promise<boolean> {
    const table = newTable()
    world.running.intercept('AcceptSchema', async call => {
      await world.curated.delete(latestSchemaKey(table))
      return call()
    })
    await put(table, 'a.csv', 'id\n1\n')
    const done = await isDone({ ...table, ds })
    world.running.intercept('AcceptSchema')
    return done
  }

  /** What a table has that is older than its evidence is found in its newest day. */
  async function describesOldTable(): Promise<boolean> {
    const table = newTable()
    world.running.intercept('DescribeTable', async call => {
      await world.curated.delete(typesKey(table))
      return call()
    })
    await put(table, 'a.csv', 'id\n1\n')
    const done = await isDone({ ...table, ds })
    world.running.intercept('DescribeTable')
    return done
  }

  /** Somebody else has the partition, which is told by the write that is refused. */
  async function meetsAnother(at: 'glue:startJobRun' | 'PublishPartition'): Promise<boolean> {
    const table = newTable()
    await put(table, 'a.csv', 'id\n1\n')
    const held = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    world.running.intercept(at, async call => {
      world.running.intercept(at)
      held.resolve()
      await over.promise
      return call()
    })
    const first = world.run({ ...table, ds })
    await held.promise
    if (at === 'glue:startJobRun') {
      const second = await world.run({ ...table, ds })
      over.resolve()
      await first
      return second.status === 'SUCCEEDED'
    }
    await stealLocks()
    over.resolve()
    const { error } = await first
    return error !== 'UNEXPECTED_ERROR'
  }

  async function stealLocks(): Promise<void> {
    const { endpoint, credentials } = world.running.services.dynamoDb
    const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials })
    const TableName = 'data-transform-locks'
    const { Items = [] } = await client.send(new ScanCommand({ TableName }))
    for (const { id } of Items)
      await client.send(
        new UpdateItemCommand({
          TableName,
          Key: { id: id as AttributeValue },
          UpdateExpression: 'SET #owner = :thief',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':thief': { S: 'thief' } },
        }),
      )
    client.destroy()
  }

  const scenarios: Readonly<Record<string, () => Promise<boolean>>> = {
    StartTransform: isStartedByMarker,
    FailPartition: failsAsItShould,
    'AcceptSchema TellMissingFromForbidden': missesFingerprint,
    'DescribeTable TellMissingFromForbidden': describesOldTable,
  }

  const isLocked = (): Promise<boolean> => meetsAnother('glue:startJobRun')
  const losesItsLock = (): Promise<boolean> => meetsAnother('PublishPartition')

  it('is enough for everything', { timeout: 2 * timeout }, async () => {
    withhold()
    for (const works of new Set([...Object.values(scenarios), isTransformed, isLocked, losesItsLock]))
      expect([works.name, await works()]).toEqual([works.name, true])
  })

  it.each(statements)('is too little without that of %s: %s', async (role, sid) => {
    withhold(role, sid)
    const works = await (scenarios[`${role} ${sid}`] ?? scenarios[role] ?? isTransformed)().catch(() => false)
    withhold()
    expect(works).toBe(false)
  })
})
