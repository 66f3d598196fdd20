import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, figure, forkServer, sendAll } from '@stepwright/bench'

const perRound = 2000
const TableName = 'orders'
const script = join(import.meta.dirname, 'bench-server.ts')
const authorization =
  'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0'

function call(
  endpoint: string,
  operation: string,
  count: number,
  input: (index: number) => object,
): Promise<void> {
  return sendAll(endpoint, count, index => JSON.stringify({ TableName, ...input(index) }), {
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-date': '20260101T000000Z',
    authorization,
  })
}

const directory = await mkdtemp(join(tmpdir(), 'stepwright-dynamodb-bench-'))
try {
  await using bare = await forkServer(script, ['bare', directory])
  await using ours = await forkServer(script, ['dynamodb', join(directory, 'data')])
  await call(ours.endpoint, 'CreateTable', 1, () => ({
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  }))
  const put = (endpoint: string) =>
    call(endpoint, 'PutItem', perRound, index => ({
      Item: { id: { S: `order-${index}` }, sku: { S: 'A1' }, amount: { N: String(index) } },
    }))
  const get = (endpoint: string) =>
    call(endpoint, 'GetItem', perRound, index => ({ Key: { id: { S: `order-${index}` } } }))
  const puts = await compare('2,000 times PutItem, kept on disk', {
    bare: () => put(bare.endpoint),
    ours: () => put(ours.endpoint),
  })
  figure('dynamodb.put.vs_bare_http', puts.bare.medianMs / puts.ours.medianMs, { atLeast: 0.15 })
  const gets = await compare('2,000 times GetItem', {
    bare: () => get(bare.endpoint),
    ours: () => get(ours.endpoint),
  })
  figure('dynamodb.get.vs_bare_http', gets.bare.medianMs / gets.ours.medianMs, { atLeast: 0.2 })
} finally {
  await rm(directory, { recursive: true, force: true })
}
