import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sns from '@aws-sdk/client-sns'
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { type Sqs, startSqs } from '@stepwright/local-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sns, startSns } from './index.ts'

let sqs: Sqs
let queues: SQSClient
let service: Sns
let client: sns.SNSClient
const invoked: { path: string; event: unknown }[] = []
const problems: string[] = []
const lambda = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  invoked.push({ path: request.url ?? '', event: JSON.parse(body) })
  response.writeHead(202).end()
})

beforeAll(async () => {
  await new Promise<void>(resolve => lambda.listen(0, '127.0.0.1', resolve))
  sqs = await startSqs()
  queues = new SQSClient(sqs.clientConfig)
  service = await startSns({
    targets: { sqs: sqs.endpoint, lambda: `http://127.0.0.1:${(lambda.address() as AddressInfo).port}` },
    now: () => Date.parse('2026-11-16T09:00:00.123Z'),
    onProblem: message => problems.push(message),
  })
  client = new sns.SNSClient(service.clientConfig)
})
afterAll(async () => {
  client.destroy()
  queues.destroy()
  await service.stop()
  await sqs.stop()
  lambda.close()
  lambda.closeAllConnections()
})

let count = 0
async function topic(Attributes: Record<string, string> = {}): Promise<string> {
  count += 1
  const Name = `t${count}${Attributes['FifoTopic'] ? '.fifo' : ''}`
  const { TopicArn = '' } = await client.send(new sns.CreateTopicCommand({ Name, Attributes }))
  return TopicArn
}

async function subscribed(TopicArn: string, Attributes: Record<string, string> = {}): Promise<string> {
  count += 1
  const isFifo = TopicArn.endsWith('.fifo')
  const name = `q${count}${isFifo ? '.fifo' : ''}`
  await queues.send(
    new CreateQueueCommand({ QueueName: name, Attributes: isFifo ? { FifoQueue: 'true' } : {} }),
  )
  const Endpoint = sqs.queueArn(name)
  await client.send(new sns.SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint, Attributes }))
  return sqs.queueUrl(name)
}

async function received(QueueUrl: string, WaitTimeSeconds = 10) {
  const { Messages = [] } = await queues.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    }),
  )
  return Messages
}

async function waiting(QueueUrl: string) {
  const { Attributes } = await queues.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
  )
  return Attributes?.['ApproximateNumberOfMessages']
}

function publish(TopicArn: string, Message: string, more: Partial<sns.PublishCommandInput> = {}) {
  return client.send(new sns.PublishCommand({ TopicArn, Message, ...more }))
}

describe('Publish', () => {
  it('notifies a queue, wrapped as SNS does, or raw with its attributes', async () => {
    const TopicArn = await topic()
    const wrapped = await subscribed(TopicArn)
    const raw = await subscribed(TopicArn, { RawMessageDelivery: 'true' })
    const MessageAttributes = { kind: { DataType: 'String', StringValue: 'a & b' } }
    const { MessageId } = await publish(TopicArn, 'hällo <you>', { Subject: 'hi', MessageAttributes })
    const [first] = await received(wrapped)
    expect(JSON.parse(first?.Body ?? '')).toMatchObject({
      Type: 'Notification',
      MessageId,
      TopicArn,
      Subject: 'hi',
      Message: 'hällo <you>',
      Timestamp: '2026-11-16T09:00:00.123Z',
      MessageAttributes: { kind: { Type: 'String', Value: 'a & b' } },
    })
    const [second] = await received(raw)
    expect(second).toMatchObject({ Body: 'hällo <you>', MessageAttributes })
  })

  it('calls a function with its event', async () => {
    const TopicArn = await topic()
    const Endpoint = 'arn:aws:lambda:us-east-1:000000000000:function:notify'
    const { SubscriptionArn } = await client.send(
      new sns.SubscribeCommand({ TopicArn, Protocol: 'lambda', Endpoint }),
    )
    await publish(TopicArn, 'for you')
    await expect.poll(() => invoked).toHaveLength(1)
    expect(invoked).toMatchObject([
      {
        path: '/2015-03-31/functions/notify/invocations',
        event: {
          Records: [
            {
              EventSource: 'aws:sns',
              EventSubscriptionArn: SubscriptionArn,
              Sns: { Message: 'for you', Subject: null, TopicArn, MessageAttributes: {} },
            },
          ],
        },
      },
    ])
  })

  it('has a text for each protocol', async () => {
    const TopicArn = await topic()
    const queue = await subscribed(TopicArn, { RawMessageDelivery: 'true' })
    const json = (texts: object) => publish(TopicArn, JSON.stringify(texts), { MessageStructure: 'json' })
    await json({ default: 'all', sqs: 'queues' })
    expect((await received(queue))[0]?.Body).toBe('queues')
    await expect(json({ sqs: 'queues' })).rejects.toThrow('No default entry in JSON message body')
  })

  it.each<[string, Record<string, string>, Partial<sns.PublishCommandInput>, boolean]>([
    [
      'attributes',
      { FilterPolicy: '{"kind":["order",{"prefix":"re"}],"total":[{"numeric":[">",100]}]}' },
      {
        MessageAttributes: {
          kind: { DataType: 'String', StringValue: 'return' },
          total: { DataType: 'Number', StringValue: '101' },
        },
      },
      true,
    ],
    [
      'other attributes',
      { FilterPolicy: '{"kind":["order"]}' },
      { MessageAttributes: { kind: { DataType: 'String', StringValue: 'return' } } },
      false,
    ],
    [
      'lists in attributes',
      { FilterPolicy: '{"kinds":["b"]}' },
      { MessageAttributes: { kinds: { DataType: 'String.Array', StringValue: '["a","b"]' } } },
      true,
    ],
    [
      'the body',
      { FilterPolicyScope: 'MessageBody', FilterPolicy: '{"order":{"total":[{"numeric":[">",100]}]}}' },
      { Message: '{"order":{"total":101}}' },
      true,
    ],
    [
      'a body that is not JSON',
      { FilterPolicyScope: 'MessageBody', FilterPolicy: '{"order":[{"exists":false}]}' },
      {},
      false,
    ],
  ])('filters by %s', async (_what, policy, message, wanted) => {
    const TopicArn = await topic()
    const queue = await subscribed(TopicArn, policy)
    const all = await subscribed(TopicArn)
    await publish(TopicArn, 'text', message)
    expect(await received(all)).toHaveLength(1)
    expect(await received(queue, wanted ? 10 : 0)).toHaveLength(wanted ? 1 : 0)
  })

  it('keeps the order of FIFO, and sends a message once', async () => {
    const TopicArn = await topic({ FifoTopic: 'true', ContentBasedDeduplication: 'true' })
    const queue = await subscribed(TopicArn, { RawMessageDelivery: 'true' })
    const send = (text: string) => publish(TopicArn, text, { MessageGroupId: 'g' })
    const first = await send('1')
    expect(await send('1')).toMatchObject({
      MessageId: first.MessageId,
      SequenceNumber: first.SequenceNumber,
    })
    for (const text of ['2', '3', '4']) await send(text)
    await expect.poll(() => waiting(queue)).toBe('4')
    expect((await received(queue)).map(({ Body }) => Body)).toEqual(['1', '2', '3', '4'])
    await expect(publish(TopicArn, 'x')).rejects.toThrow('MessageGroupId parameter is required')
  })

  it('sends batches, entry by entry', async () => {
    const TopicArn = await topic()
    const queue = await subscribed(TopicArn, { RawMessageDelivery: 'true' })
    const batch = (entries: sns.PublishBatchRequestEntry[]) =>
      client.send(new sns.PublishBatchCommand({ TopicArn, PublishBatchRequestEntries: entries }))
    const { Successful, Failed } = await batch([
      { Id: 'a', Message: 'one' },
      { Id: 'b', Message: '' },
    ])
    expect([Successful, Failed]).toMatchObject([[{ Id: 'a' }], [{ Id: 'b', Code: 'InvalidParameter' }]])
    expect((await received(queue)).map(({ Body }) => Body)).toEqual(['one'])
    await expect(batch([])).rejects.toMatchObject({ name: 'EmptyBatchRequestException' })
    const twice = { Id: 'a', Message: 'm' }
    await expect(batch([twice, twice])).rejects.toMatchObject({ name: 'BatchEntryIdsNotDistinctException' })
  })

  it('goes on with a FIFO topic after what could not be delivered', async () => {
    const TopicArn = await topic({ FifoTopic: 'true', ContentBasedDeduplication: 'true' })
    const Endpoint = sqs.queueArn('gone.fifo')
    const lost = { TopicArn, Protocol: 'sqs', Endpoint, ReturnSubscriptionArn: true }
    const { SubscriptionArn } = await client.send(new sns.SubscribeCommand(lost))
    const redrive = { SubscriptionArn, AttributeName: 'RedrivePolicy', AttributeValue: '' }
    await client.send(new sns.SetSubscriptionAttributesCommand(redrive))
    const queue = await subscribed(TopicArn, { RawMessageDelivery: 'true' })
    for (const text of ['1', '2']) await publish(TopicArn, text, { MessageGroupId: 'g' })
    await expect.poll(() => waiting(queue)).toBe('2')
  })

  it('refuses a batch that is too long as a whole', async () => {
    const TopicArn = await topic()
    const entries = ['a', 'b'].map(Id => ({ Id, Message: 'm'.repeat(200_000) }))
    const batch = new sns.PublishBatchCommand({ TopicArn, PublishBatchRequestEntries: entries })
    await expect(client.send(batch)).rejects.toMatchObject({ name: 'BatchRequestTooLongException' })
  })

  it('has what could not be delivered go to dead letters, or reports it', async () => {
    const TopicArn = await topic()
    const dead = await subscribed(await topic())
    const deadLetterTargetArn = sqs.queueArn(dead.split('/').at(-1) ?? '')
    const subscribe = (Endpoint: string, Attributes: Record<string, string> = {}) =>
      client.send(new sns.SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint, Attributes }))
    await subscribe(sqs.queueArn('gone'), { RedrivePolicy: JSON.stringify({ deadLetterTargetArn }) })
    await subscribe(sqs.queueArn('lost'))
    await publish(TopicArn, 'hello')
    expect(JSON.parse((await received(dead))[0]?.Body ?? '')).toMatchObject({ Message: 'hello' })
    await expect.poll(() => problems.at(-1)).toContain('The specified queue does not exist')
  })
})

describe('topics and subscriptions', () => {
  it.each([
    ['RedrivePolicy', 'nonsense'],
    ['RedrivePolicy', 'null'],
    ['RedrivePolicy', '{"deadLetterTargetArn":5}'],
    ['RawMessageDelivery', 'yes'],
    ['FilterPolicyScope', 'Everything'],
    ['FilterPolicy', '{'],
  ])('refuse %s to be %s', async (name, value) => {
    const TopicArn = await topic()
    const Endpoint = sqs.queueArn('q')
    const subscribe = (Attributes: Record<string, string>) =>
      client.send(new sns.SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint, Attributes }))
    await expect(subscribe({ [name]: value })).rejects.toMatchObject({ name: 'InvalidParameterException' })
    const { SubscriptionArn } = await subscribe({})
    const change = { SubscriptionArn, AttributeName: name, AttributeValue: value }
    await expect(client.send(new sns.SetSubscriptionAttributesCommand(change))).rejects.toMatchObject({
      name: 'InvalidParameterException',
    })
  })

  it('are subscribed once, and not again in another way', async () => {
    const TopicArn = await topic()
    const subscribe = (Attributes?: Record<string, string>) =>
      client.send(
        new sns.SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: sqs.queueArn('q'), Attributes }),
      )
    const first = await subscribe({ RawMessageDelivery: 'true' })
    expect(await subscribe({ RawMessageDelivery: 'true' })).toMatchObject({
      SubscriptionArn: first.SubscriptionArn,
    })
    expect(await subscribe()).toMatchObject({ SubscriptionArn: first.SubscriptionArn })
    await expect(subscribe({ RawMessageDelivery: 'false' })).rejects.toThrow(
      'already exists with different attributes',
    )
  })

  it('are listed from a token that was given, and no other', async () => {
    for (const NextToken of ['x', '-5', '1.5']) {
      await expect(client.send(new sns.ListTopicsCommand({ NextToken }))).rejects.toMatchObject({
        name: 'InvalidParameterException',
      })
    }
  })

  it('are created once, listed, changed and deleted', async () => {
    const TopicArn = await topic({ DisplayName: 'first' })
    const Name = TopicArn.split(':').at(-1)
    expect(await client.send(new sns.CreateTopicCommand({ Name }))).toMatchObject({ TopicArn })
    await client.send(
      new sns.SetTopicAttributesCommand({ TopicArn, AttributeName: 'DisplayName', AttributeValue: 'x' }),
    )
    await subscribed(TopicArn)
    const { Attributes } = await client.send(new sns.GetTopicAttributesCommand({ TopicArn }))
    expect(Attributes).toMatchObject({ TopicArn, DisplayName: 'x', SubscriptionsConfirmed: '1' })
    const list = async () =>
      (await client.send(new sns.ListSubscriptionsByTopicCommand({ TopicArn }))).Subscriptions ?? []
    const [{ SubscriptionArn, Protocol } = {}] = await list()
    expect(Protocol).toBe('sqs')
    await client.send(
      new sns.SetSubscriptionAttributesCommand({
        SubscriptionArn,
        AttributeName: 'FilterPolicy',
        AttributeValue: '{"a":["b"]}',
      }),
    )
    const told = await client.send(new sns.GetSubscriptionAttributesCommand({ SubscriptionArn }))
    expect(told.Attributes).toMatchObject({ FilterPolicy: '{"a":["b"]}', RawMessageDelivery: 'false' })
    await client.send(new sns.UnsubscribeCommand({ SubscriptionArn }))
    expect(await list()).toEqual([])
    await client.send(
      new sns.TagResourceCommand({ ResourceArn: TopicArn, Tags: [{ Key: 'of', Value: 'me' }] }),
    )
    const { Tags } = await client.send(new sns.ListTagsForResourceCommand({ ResourceArn: TopicArn }))
    expect(Tags).toEqual([{ Key: 'of', Value: 'me' }])
    await client.send(new sns.DeleteTopicCommand({ TopicArn }))
    const { Topics = [] } = await client.send(new sns.ListTopicsCommand({}))
    expect(Topics.map(each => each.TopicArn)).not.toContain(TopicArn)
  })

  it.each<[string, () => Promise<unknown>, string, RegExp]>([
    [
      'a topic that is not there',
      () => publish(service.topicArn('none'), 'x'),
      'NotFoundException',
      /Topic does not exist/,
    ],
    [
      'an empty message',
      async () => publish(await topic(), ''),
      'InvalidParameterException',
      /Empty message/,
    ],
    [
      'a name',
      () => client.send(new sns.CreateTopicCommand({ Name: 'a b' })),
      'InvalidParameterException',
      /Topic Name/,
    ],
    [
      'a protocol that does not run here',
      async () =>
        client.send(
          new sns.SubscribeCommand({ TopicArn: await topic(), Protocol: 'email', Endpoint: 'a@example.com' }),
        ),
      'InvalidParameterException',
      /only sqs and lambda/,
    ],
    [
      'a filter policy',
      async () => subscribed(await topic(), { FilterPolicy: '{"a":"b"}' }),
      'InvalidParameterException',
      /FilterPolicy: "a" must be an object or an array/,
    ],
  ])('refuse %s by the name that AWS has for it', async (_what, call, name, message) => {
    await expect(call()).rejects.toMatchObject({ name, message: expect.stringMatching(message) })
  })

  it('outlive a restart', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'stepwright-sns-'))
    const during = async (use: (own: sns.SNSClient) => Promise<void>) => {
      await using kept = await startSns({ dataDirectory })
      const own = new sns.SNSClient(kept.clientConfig)
      await use(own)
      own.destroy()
    }
    try {
      await during(async own => {
        const { TopicArn } = await own.send(
          new sns.CreateTopicCommand({ Name: 'kept', Attributes: { DisplayName: 'd' } }),
        )
        await own.send(new sns.SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: sqs.queueArn('x') }))
      })
      await during(async own => {
        const { Subscriptions } = await own.send(new sns.ListSubscriptionsCommand({}))
        expect(Subscriptions).toMatchObject([{ Endpoint: sqs.queueArn('x') }])
        const TopicArn = Subscriptions?.[0]?.TopicArn
        const { Attributes } = await own.send(new sns.GetTopicAttributesCommand({ TopicArn }))
        expect(Attributes).toMatchObject({ DisplayName: 'd' })
      })
    } finally {
      await rm(dataDirectory, { recursive: true })
    }
  })
})
