import * as sqs from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sqs, startSqs } from './index.ts'

let service: Sqs
let client: sqs.SQSClient
beforeAll(async () => {
  service = await startSqs()
  client = new sqs.SQSClient(service.clientConfig)
})
afterAll(async () => {
  client.destroy()
  await service.stop()
})

let count = 0
async function create(Attributes: Record<string, string> = {}, suffix = ''): Promise<string> {
  count += 1
  const QueueName = `q${count}${suffix}`
  const { QueueUrl = '' } = await client.send(new sqs.CreateQueueCommand({ QueueName, Attributes }))
  return QueueUrl
}
function arnOf(url: string): string {
  return service.queueArn(url.split('/').at(-1) ?? '')
}

async function call(operation: string, input: object, headers: Record<string, string> = {}) {
  const response = await fetch(service.endpoint, {
    method: 'POST',
    headers: { 'x-amz-target': `AmazonSQS.${operation}`, ...headers },
    body: JSON.stringify(input),
  })
  return (await response.json()) as Record<string, unknown>
}

describe('the attributes of a queue', () => {
  it('take True for true', async () => {
    const url = await create({ FifoQueue: 'True', ContentBasedDeduplication: 'TRUE' }, '.fifo')
    const { Attributes } = await client.send(
      new sqs.GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }),
    )
    expect(Attributes).toMatchObject({ FifoQueue: 'true', ContentBasedDeduplication: 'true' })
    const QueueName = url.split('/').at(-1)
    const again = { QueueName, Attributes: { FifoQueue: 'true', ContentBasedDeduplication: 'true' } }
    expect(await client.send(new sqs.CreateQueueCommand(again))).toMatchObject({ QueueUrl: url })
    await expect(create({ FifoQueue: 'yes' }, '.fifo')).rejects.toMatchObject({
      name: 'InvalidAttributeName',
    })
  })

  it.each(['KmsMasterKeyId', 'KmsDataKeyReusePeriodSeconds'])('refuse %s by its name', async name => {
    await expect(create({ [name]: '300' })).rejects.toThrow(`${name} is not supported on this machine`)
  })

  it('let a dead-letter queue choose its sources', async () => {
    const redriveTo = (dead: string) => ({
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf(dead), maxReceiveCount: 1 }),
    })
    const allow = (policy: object) => ({ RedriveAllowPolicy: JSON.stringify(policy) })
    const closed = await create(allow({ redrivePermission: 'denyAll' }))
    await expect(create(redriveTo(closed))).rejects.toThrow('RedriveAllowPolicy')
    const source = await create()
    const set = (Attributes: Record<string, string>) =>
      client.send(new sqs.SetQueueAttributesCommand({ QueueUrl: source, Attributes }))
    await expect(set(redriveTo(closed))).rejects.toThrow('RedriveAllowPolicy')
    const chosen = await create(allow({ redrivePermission: 'byQueue', sourceQueueArns: [arnOf(source)] }))
    await set(redriveTo(chosen))
    await expect(create(redriveTo(chosen))).rejects.toThrow('RedriveAllowPolicy')
    await create(redriveTo(await create(allow({ redrivePermission: 'allowAll' }))))
  })

  it.each([
    'nonsense',
    'null',
    '{"redrivePermission":"some"}',
    '{"redrivePermission":"byQueue"}',
    '{"redrivePermission":"byQueue","sourceQueueArns":[]}',
    '{"redrivePermission":"denyAll","sourceQueueArns":["a"]}',
  ])('refuse the RedriveAllowPolicy %s', async RedriveAllowPolicy => {
    await expect(create({ RedriveAllowPolicy })).rejects.toMatchObject({ name: 'InvalidParameterValue' })
  })
})

describe('the attributes of a message', () => {
  async function traceOf(QueueUrl: string) {
    const { Messages = [] } = await client.send(
      new sqs.ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['AWSTraceHeader'] }),
    )
    return Messages[0]?.Attributes?.AWSTraceHeader
  }

  it('pass on AWSTraceHeader, with its checksum, or the header of the request', async () => {
    const QueueUrl = await create()
    const MessageSystemAttributes = { AWSTraceHeader: { DataType: 'String', StringValue: 'Root=1-a' } }
    const sent = await client.send(
      new sqs.SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageSystemAttributes }),
    )
    expect(sent.MD5OfMessageSystemAttributes).toMatch(/^[\da-f]{32}$/)
    expect(await traceOf(QueueUrl)).toBe('Root=1-a')
    await call('SendMessage', { QueueUrl, MessageBody: 'y' }, { 'x-amzn-trace-id': 'Root=1-b' })
    expect(await traceOf(QueueUrl)).toBe('Root=1-b')
  })

  it('may have letters of other languages in their names', async () => {
    const QueueUrl = await create()
    const MessageAttributes = { größe: { DataType: 'String', StringValue: 'x' } }
    await client.send(new sqs.SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageAttributes }))
    const { Messages } = await client.send(
      new sqs.ReceiveMessageCommand({ QueueUrl, MessageAttributeNames: ['All'] }),
    )
    expect(Messages?.[0]?.MessageAttributes).toEqual(MessageAttributes)
  })

  it.each<[string, string, object]>([
    ['SendMessage', 'MessageSystemAttributes', { Colour: { DataType: 'String', StringValue: 'x' } }],
    ['SendMessage', 'MessageSystemAttributes', { AWSTraceHeader: { DataType: 'Number', StringValue: '1' } }],
    ['SendMessage', 'MessageAttributes', { 'a b': { DataType: 'String', StringValue: 'x' } }],
  ])('of %s refuse %s %j', async (operation, name, given) => {
    const answer = await call(operation, { QueueUrl: await create(), MessageBody: 'x', [name]: given })
    expect(answer).toMatchObject({ __type: 'InvalidParameterValue' })
  })
})

describe('a parameter that would be ignored', () => {
  it('is refused by its name, also in an entry of a batch', async () => {
    const QueueUrl = await create()
    expect(await call('SendMessage', { QueueUrl, MessageBody: 'x', Priority: 1 })).toMatchObject({
      message: 'The parameter Priority of SendMessage is not supported on this machine',
    })
    const Entries = [{ Id: '1', MessageBody: 'x', Priority: 1 }]
    expect(await call('SendMessageBatch', { QueueUrl, Entries })).toMatchObject({
      message: 'The parameter Priority of SendMessageBatchRequestEntry is not supported on this machine',
    })
  })

  it('finds no queue of another account', async () => {
    const QueueName = (await create()).split('/').at(-1)
    const url = (QueueOwnerAWSAccountId: string) =>
      client.send(new sqs.GetQueueUrlCommand({ QueueName, QueueOwnerAWSAccountId }))
    expect(await url('000000000000')).toMatchObject({ QueueUrl: expect.stringContaining(QueueName ?? '') })
    await expect(url('111111111111')).rejects.toMatchObject({ name: 'QueueDoesNotExist' })
  })
})
