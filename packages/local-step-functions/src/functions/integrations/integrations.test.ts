import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SendTaskSuccessCommand } from '@aws-sdk/client-sfn'
import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns'
import { CreateQueueCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { startDynamoDb } from '@stepwright/local-dynamodb'
import { startEventBridge } from '@stepwright/local-eventbridge'
import { startS3 } from '@stepwright/local-s3'
import { startSns } from '@stepwright/local-sns'
import { type Sqs, startSqs } from '@stepwright/local-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStepFunctions } from '../../index.ts'
import { type ApiClient, createApiClient, machine } from '../../test/api-client.ts'

const started = new AsyncDisposableStack()
let sqs: Sqs
let queues: SQSClient
let api: ApiClient
let topicArn = ''
let site = ''

beforeAll(async () => {
  const dynamoDb = started.use(await startDynamoDb())
  const s3 = started.use(await startS3({ buckets: ['files'] }))
  sqs = started.use(await startSqs())
  const sns = started.use(await startSns({ targets: { sqs: sqs.endpoint } }))
  const eventBridge = started.use(await startEventBridge())
  const stepFunctions = started.use(
    await startStepFunctions({
      endpoints: { dynamodb: dynamoDb, s3, sqs, sns, eventbridge: eventBridge },
      connections: { shop: { headers: { 'x-api-key': 'secret' }, queryParameters: { v: '2' } } },
    }),
  )
  api = createApiClient(stepFunctions)
  started.defer(() => api.client.destroy())
  const tables = started.adopt(new DynamoDBClient(dynamoDb), client => client.destroy())
  await tables.send(
    new CreateTableCommand({
      TableName: 'things',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  )
  queues = started.adopt(new SQSClient(sqs.clientConfig), client => client.destroy())
  for (const QueueName of ['mail', 'news']) await queues.send(new CreateQueueCommand({ QueueName }))
  const topics = started.adopt(new SNSClient(sns.clientConfig), client => client.destroy())
  const { TopicArn = '' } = await topics.send(new CreateTopicCommand({ Name: 'news' }))
  topicArn = TopicArn
  const Endpoint = sqs.queueArn('news')
  const Attributes = { RawMessageDelivery: 'true' }
  await topics.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint, Attributes }))

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url, headers } = request
    const status = url?.startsWith('/missing') ? 404 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ method, url, body, key: headers['x-api-key'], type: headers['content-type'] }),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  started.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => started.disposeAsync())

let count = 0
async function begin(resource: string, Arguments: object, more: object = {}) {
  count += 1
  const task = { Type: 'Task', Resource: `arn:aws:states:::${resource}`, Arguments, End: true, ...more }
  const caught = 'Catch' in more ? { Caught: { Type: 'Pass', End: true } } : {}
  const arn = await api.create(`m${count}`, machine({ Call: task, ...caught }, { QueryLanguage: 'JSONata' }))
  return api.start(arn)
}

async function run(resource: string, parameters: object, more: object = {}) {
  const { status, output, error, cause } = await api.ended(await begin(resource, parameters, more))
  return { status, error, cause, output: output === undefined ? undefined : JSON.parse(output) }
}

/** How a catcher of that name sees the failure. */
async function caught(resource: string, parameters: object, name: string) {
  const more = {
    Catch: [{ ErrorEquals: [name], Output: '{% $states.errorOutput %}', Next: 'Caught' }],
  }
  const { status, output } = await run(resource, parameters, more)
  expect(status).toBe('SUCCEEDED')
  return output as { Error: string; Cause: string }
}

async function received(name: string): Promise<Message[]> {
  const { Messages = [] } = await queues.send(
    new ReceiveMessageCommand({ QueueUrl: sqs.queueUrl(name), WaitTimeSeconds: 10, MaxNumberOfMessages: 10 }),
  )
  return Messages
}

const metadata = {
  SdkHttpMetadata: {
    AllHttpHeaders: expect.objectContaining({ 'content-length': [expect.any(String)] }),
    HttpHeaders: expect.objectContaining({ 'content-length': expect.any(String) }),
    HttpStatusCode: 200,
  },
  SdkResponseMetadata: { RequestId: expect.any(String) },
}
const TableName = 'things'

describe('dynamodb', () => {
  it('puts, gets, updates and deletes an item', async () => {
    const Key = { id: { S: 'a' } }
    const Item = { ...Key, n: { N: '1' }, on: { BOOL: true }, bytes: { B: 'AQI=' }, none: { NULL: true } }
    expect((await run('dynamodb:putItem', { TableName, Item })).output).toEqual(metadata)
    expect((await run('dynamodb:getItem', { TableName, Key })).output).toEqual({ Item, ...metadata })
    const update = {
      UpdateExpression: 'SET n = n + :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
      ReturnValues: 'UPDATED_NEW',
    }
    expect((await run('dynamodb:updateItem', { TableName, Key, ...update })).output).toEqual({
      Attributes: { n: { N: '2' } },
      ...metadata,
    })
    const deleted = await run('dynamodb:deleteItem', { TableName, Key, ReturnValues: 'ALL_OLD' })
    expect(deleted.output.Attributes.n).toEqual({ N: '2' })
    expect((await run('dynamodb:getItem', { TableName, Key })).output).toEqual(metadata)
  })

  it.each([
    [
      'DynamoDB.ConditionalCheckFailedException',
      { TableName, Item: { id: { S: 'x' } }, ConditionExpression: 'attribute_exists(id)' },
      /^The conditional request failed \(Service: AmazonDynamoDBv2; Status Code: 400; Error Code: ConditionalCheckFailedException; Request ID: [\w-]+; Proxy: null\)$/,
    ],
    [
      'DynamoDB.ResourceNotFoundException',
      { TableName: 'nothing', Item: { id: { S: 'x' } } },
      /resource not found.*Error Code: ResourceNotFoundException/i,
    ],
    ['DynamoDB.AmazonDynamoDBException', { TableName, Item: {} }, /Error Code: ValidationException/],
  ])('fails with %s', async (name, parameters, cause) => {
    const failure = await caught('dynamodb:putItem', parameters, name)
    expect(failure.Error).toBe(name)
    expect(failure.Cause).toMatch(cause)
  })
})

describe('aws-sdk:dynamodb', () => {
  it('has other names for kinds of values, and no metadata', async () => {
    const Item = {
      id: { S: 'sdk' },
      on: { Bool: true },
      none: { Nul: true },
      m: { M: { Bool: { Ss: ['a'] } } },
    }
    expect((await run('aws-sdk:dynamodb:putItem', { TableName, Item })).output).toEqual({})
    const { output } = await run('aws-sdk:dynamodb:query', {
      TableName,
      KeyConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': { S: 'sdk' } },
    })
    expect(output).toEqual({ Count: 1, Items: [Item], ScannedCount: 1 })
  })

  it.each([
    [
      'DynamoDb.ConditionalCheckFailedException',
      { TableName, Item: { id: { S: 'x' } }, ConditionExpression: 'attribute_exists(id)' },
      /^The conditional request failed \(Service: DynamoDb, Status Code: 400, Request ID: [\w-]+\) \(SDK Attempt Count: 1\)$/,
    ],
    ['DynamoDb.DynamoDbException', { TableName, Item: {} }, /Service: DynamoDb, Status Code: 400/],
  ])('fails with %s', async (name, parameters, cause) => {
    expect((await caught('aws-sdk:dynamodb:putItem', parameters, name)).Cause).toMatch(cause)
  })
})

describe('aws-sdk:s3', () => {
  it('puts, gets and lists objects', async () => {
    const place = { Bucket: 'files', Key: 'a.json' }
    expect((await run('aws-sdk:s3:putObject', { ...place, Body: { n: 1 } })).output).toMatchObject({
      ETag: expect.any(String),
    })
    const { output } = await run('aws-sdk:s3:getObject', place)
    expect(output).toMatchObject({
      Body: '{"n":1}',
      ContentLength: 7,
      LastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    const listed = await run('aws-sdk:s3:listObjectsV2', { Bucket: 'files' })
    expect(listed.output.Contents).toMatchObject([{ Key: 'a.json', Size: 7 }])
  })

  it('stores a text as JSON, with its quotes, and calls it plain text', async () => {
    const place = { Bucket: 'files', Key: 'note.txt' }
    await run('aws-sdk:s3:putObject', { ...place, Body: 'say "hello"' })
    const { output } = await run('aws-sdk:s3:getObject', place)
    expect(output).toMatchObject({
      Body: JSON.stringify('say "hello"'),
      ContentType: 'text/plain; charset=UTF-8',
    })
    await run('aws-sdk:s3:putObject', { ...place, Body: {}, ContentType: 'application/json' })
    expect((await run('aws-sdk:s3:getObject', place)).output).toMatchObject({
      ContentType: 'application/json',
    })
  })

  it('fails by name', async () => {
    const key = await caught('aws-sdk:s3:getObject', { Bucket: 'files', Key: 'no' }, 'S3.NoSuchKeyException')
    expect(key.Cause).toMatch(/^The specified key does not exist\. \(Service: S3, Status Code: 404, /)
    await caught('aws-sdk:s3:listObjects', { Bucket: 'none' }, 'S3.NoSuchBucketException')
  })
})

describe('sqs', () => {
  it('sends what it is given, as a text', async () => {
    const { output } = await run('sqs:sendMessage', {
      QueueUrl: sqs.queueUrl('mail'),
      MessageBody: { to: 'ann' },
    })
    const [message] = await received('mail')
    expect(message?.Body).toBe('{"to":"ann"}')
    expect(output).toEqual({
      MD5OfMessageBody: message?.MD5OfBody,
      MessageId: message?.MessageId,
      ...metadata,
    })
  })

  it('waits for the token that it sent', async () => {
    const execution = await begin('sqs:sendMessage.waitForTaskToken', {
      QueueUrl: sqs.queueUrl('mail'),
      MessageBody: { token: '{% $states.context.Task.Token %}' },
    })
    const [{ Body = '' } = {}] = await received('mail')
    const { token: taskToken } = JSON.parse(Body)
    await api.client.send(new SendTaskSuccessCommand({ taskToken, output: '{"done":true}' }))
    expect(JSON.parse((await api.ended(execution)).output ?? '')).toEqual({ done: true })
  })

  it('fails by name, in both kinds of integrations', async () => {
    const parameters = { QueueUrl: sqs.queueUrl('none'), MessageBody: 'x' }
    const plain = await caught('sqs:sendMessage', parameters, 'SQS.QueueDoesNotExistException')
    expect(plain.Cause).toMatch(
      /^The specified queue does not exist\. \(Service: AmazonSQS; Status Code: 400; /,
    )
    const sdk = await caught('aws-sdk:sqs:sendMessage', parameters, 'Sqs.QueueDoesNotExistException')
    expect(sdk.Cause).toMatch(/\(Service: Sqs, Status Code: 400, /)
    const wrong = { QueueUrl: sqs.queueUrl('mail'), MessageBody: 'x', DelaySeconds: 901 }
    await caught('sqs:sendMessage', wrong, 'SQS.AmazonSQSException')
    await caught('aws-sdk:sqs:sendMessage', wrong, 'Sqs.SqsException')
  })

  it('reads a queue by the SDK', async () => {
    const { output } = await run('aws-sdk:sqs:getQueueAttributes', {
      QueueUrl: sqs.queueUrl('mail'),
      AttributeNames: ['QueueArn'],
    })
    expect(output).toEqual({ Attributes: { QueueArn: sqs.queueArn('mail') } })
  })
})

describe('sns', () => {
  it('publishes, and fails by name', async () => {
    const { output } = await run('sns:publish', { TopicArn: topicArn, Message: { hello: 'all' } })
    expect(output).toEqual({ MessageId: expect.any(String), ...metadata })
    await run('aws-sdk:sns:publish', { TopicArn: topicArn, Message: 'by the SDK' })
    expect((await received('news')).map(({ Body }) => Body)).toEqual(['{"hello":"all"}', 'by the SDK'])
    const missing = { TopicArn: `${topicArn}-none`, Message: 'x' }
    const { Cause } = await caught('sns:publish', missing, 'SNS.NotFoundException')
    expect(Cause).toMatch(
      /^Topic does not exist \(Service: AmazonSNS; Status Code: 404; Error Code: NotFound; /,
    )
    await caught('aws-sdk:sns:publish', missing, 'Sns.NotFoundException')
  })
})

describe('events', () => {
  const entry = { Source: 'shop', DetailType: 'Order', Detail: { n: 1 } }

  it('puts events', async () => {
    const { output } = await run('events:putEvents', { Entries: [entry] })
    expect(output).toEqual({ Entries: [{ EventId: expect.any(String) }], FailedEntryCount: 0, ...metadata })
  })

  it('counts a refused entry as a failure, but not so the SDK', async () => {
    const Entries = [{ ...entry, Detail: '{' }]
    const { Cause } = await caught('events:putEvents', { Entries }, 'EventBridge.FailedEntry')
    expect(JSON.parse(Cause)).toEqual({
      Entries: [{ ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' }],
      FailedEntryCount: 1,
    })
    const sdk = await run('aws-sdk:eventbridge:putEvents', { Entries })
    expect(sdk).toMatchObject({ status: 'SUCCEEDED', output: { FailedEntryCount: 1 } })
    await caught(
      'aws-sdk:eventbridge:describeRule',
      { Name: 'none' },
      'EventBridge.ResourceNotFoundException',
    )
  })
})

describe('http', () => {
  const Authentication = { ConnectionArn: 'arn:aws:events:us-east-1:000000000000:connection/shop/1' }

  it('calls this machine, with what the connection adds', async () => {
    const { output } = await run('http:invoke', {
      ApiEndpoint: `${site}/orders`,
      Method: 'POST',
      Authentication,
      QueryParameters: { q: 'a b' },
      RequestBody: { n: 1 },
    })
    expect(output).toMatchObject({
      StatusCode: 200,
      StatusText: 'OK',
      Headers: { 'content-type': ['application/json'] },
      ResponseBody: {
        method: 'POST',
        url: '/orders?q=a+b&v=2',
        body: '{"n":1}',
        key: 'secret',
        type: 'application/json',
      },
    })
  })

  it('sends forms', async () => {
    const { output } = await run('http:invoke', {
      ApiEndpoint: site,
      Method: 'POST',
      Authentication,
      RequestBody: { a: 'b c' },
      Transform: { RequestBodyEncoding: 'URL_ENCODED' },
    })
    expect(output.ResponseBody).toMatchObject({
      body: 'a=b+c',
      type: expect.stringContaining('form-urlencoded'),
    })
  })

  it('fails by the status, and never leaves this machine', async () => {
    const missing = { ApiEndpoint: `${site}/missing`, Method: 'GET', Authentication }
    const { Cause } = await caught('http:invoke', missing, 'States.Http.StatusCode.404')
    expect(JSON.parse(Cause)).toMatchObject({ url: '/missing?v=2' })
    await caught('http:invoke', { ...missing, ApiEndpoint: 'http://127.0.0.1:9/' }, 'States.Http.Socket')
    for (const ApiEndpoint of ['https://example.com/', 'http://127.0.0.1.example.com/', 'nonsense']) {
      const elsewhere = await run('http:invoke', { ...missing, ApiEndpoint })
      expect(elsewhere).toMatchObject({
        error: 'States.Runtime',
        cause: expect.stringContaining("standIns: { 'http:invoke': … }"),
      })
    }
  })
})

describe('aws-sdk:sfn', () => {
  it('calls Step Functions itself, in AWS’s capitalisation', async () => {
    const { output } = await run('aws-sdk:sfn:listStateMachines', { MaxResults: 1 })
    expect(output.StateMachines).toMatchObject([
      { Name: expect.stringMatching(/^m/), CreationDate: expect.stringMatching(/^\d{4}-/) },
    ])
    const ExecutionArn = 'arn:aws:states:us-east-1:000000000000:execution:m1:none'
    const { Cause } = await caught(
      'aws-sdk:sfn:describeExecution',
      { ExecutionArn },
      'Sfn.ExecutionDoesNotExistException',
    )
    expect(Cause).toMatch(/^Execution Does Not Exist: '.*' \(Service: Sfn, Status Code: 400, /)
  })
})

describe('what does not run here', () => {
  it('says how to provide it', async () => {
    const { error, cause } = await run('aws-sdk:secretsmanager:getSecretValue', { SecretId: 'a' })
    expect([error, cause]).toEqual([
      'States.Runtime',
      expect.stringContaining("standIns: { 'aws-sdk:secretsmanager:getSecretValue':"),
    ])
  })
})
