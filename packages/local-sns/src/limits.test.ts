import * as sns from '@aws-sdk/client-sns'
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { type Sqs, startSqs } from '@stepwright/local-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sns, startSns } from './index.ts'

let sqs: Sqs
let queues: SQSClient
let service: Sns
let client: sns.SNSClient
let TopicArn = ''
beforeAll(async () => {
  sqs = await startSqs()
  queues = new SQSClient(sqs.clientConfig)
  service = await startSns({ targets: { sqs: sqs.endpoint } })
  client = new sns.SNSClient(service.clientConfig)
  await queues.send(new CreateQueueCommand({ QueueName: 'q' }))
  const created = await client.send(new sns.CreateTopicCommand({ Name: 't' }))
  TopicArn = created.TopicArn ?? ''
})
afterAll(async () => {
  client.destroy()
  queues.destroy()
  await service.stop()
  await sqs.stop()
})

describe('MessageStructure', () => {
  it('sends the default to a protocol whose value is not a text', async () => {
    const Attributes = { RawMessageDelivery: 'true' }
    const Endpoint = sqs.queueArn('q')
    await client.send(new sns.SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint, Attributes }))
    const Message = JSON.stringify({ default: 'all', sqs: { not: 'a text' } })
    await client.send(new sns.PublishCommand({ TopicArn, Message, MessageStructure: 'json' }))
    const { Messages } = await queues.send(
      new ReceiveMessageCommand({ QueueUrl: sqs.queueUrl('q'), WaitTimeSeconds: 10 }),
    )
    expect(Messages).toMatchObject([{ Body: 'all' }])
  })

  it.each(['{"default":1}', '[]', 'null'])('refuses %s, which has no default text', async Message => {
    await expect(
      client.send(new sns.PublishCommand({ TopicArn, Message, MessageStructure: 'json' })),
    ).rejects.toThrow('No default entry in JSON message body')
  })
})

describe('a filter policy', () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)
  const body = { FilterPolicyScope: 'MessageBody' }
  let count = 0
  const subscribe = (policy: object, more: object = {}) => {
    count += 1
    return client.send(
      new sns.SubscribeCommand({
        TopicArn,
        Protocol: 'sqs',
        Endpoint: sqs.queueArn(`limits-${count}`),
        Attributes: { ...more, FilterPolicy: JSON.stringify(policy) },
      }),
    )
  }

  it.each<[string, object, object]>([
    ['five keys', { a: ['1'], b: ['1'], c: ['1'], d: ['1'], e: ['1'] }, {}],
    ['150 combinations', { a: values(10), b: values(15) }, {}],
    ['150 combinations of depths', { a: { b: values(5) }, c: { d: { e: values(5) } } }, body],
    ['an alternative', { $or: [{ a: values(75) }, { b: values(75) }] }, {}],
    ['anything but a prefix', { a: [{ 'anything-but': { prefix: 'x' } }] }, {}],
  ])('may have %s', async (_what, policy, more) => {
    expect(await subscribe(policy, more)).toMatchObject({ SubscriptionArn: expect.any(String) })
  })

  it.each<[object, object, string]>([
    [{ a: ['1'], b: ['1'], c: ['1'], d: ['1'], e: ['1'], f: ['1'] }, {}, 'can not have more than 5 keys'],
    [{ a: values(10), b: values(16) }, {}, 'Filter policy is too complex'],
    [{ a: { b: values(5) }, c: { d: { e: values(6) } } }, body, 'Filter policy is too complex'],
    [{ $or: [{ a: values(75) }, { b: values(76) }] }, {}, 'Filter policy is too complex'],
    [{ a: { b: ['1'] } }, {}, 'MessageAttributes does not support nested filter policy'],
    [{ $or: [{ a: { b: ['1'] } }, { c: ['1'] }] }, {}, 'does not support nested filter policy'],
    [{ a: [{ wildcard: '*' }] }, {}, 'Unrecognized match type wildcard'],
    [{ a: { b: [{ 'anything-but': { suffix: 'x' } }] } }, body, 'Unsupported anything-but pattern: suffix'],
  ])('%j is refused', async (policy, more, message) => {
    await expect(subscribe(policy, more)).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: expect.stringContaining(message),
    })
  })
})

describe('a wrong parameter', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'Publish',
      { TopicArn: 'topic', Message: 'x' },
      'TopicArn Reason: An ARN must have at least 6 elements, not 1',
    ],
    [
      'Publish',
      { TopicArn: 'arn:aws:sqs:us-east-1:000000000000:q', Message: 'x' },
      'Invalid parameter: TopicArn',
    ],
    ['GetTopicAttributes', { TopicArn: 'a:b' }, 'An ARN must have at least 6 elements, not 2'],
    ['DeleteTopic', { TopicArn: 'a:b' }, 'An ARN must have at least 6 elements, not 2'],
    ['Unsubscribe', { SubscriptionArn: 'x' }, 'SubscriptionArn Reason: An ARN must have at least 6'],
    [
      'GetSubscriptionAttributes',
      { SubscriptionArn: 'arn:aws:sns:us-east-1:000000000000:t' },
      'SubscriptionArn',
    ],
    ['Publish', { TopicArn: 't', Message: 'x', PhoneNumber: '1' }, 'PhoneNumber of Publish is not supported'],
    ['CreateTopic', { Name: 't', DataProtectionPolicy: '{}' }, 'DataProtectionPolicy of CreateTopic'],
  ])('of %s is refused: %j', async (Action, form, message) => {
    const response = await fetch(service.endpoint, {
      method: 'POST',
      body: new URLSearchParams({ Action, ...form }),
    })
    const text = await response.text()
    expect(text).toContain('<Code>InvalidParameter</Code>')
    expect(text).toContain(message)
  })

  it.each<[Partial<sns.PublishCommandInput>, string]>([
    [{ Subject: 'x'.repeat(101) }, 'Subject'],
    [{ Subject: 'two\nlines' }, 'Subject'],
    [{ MessageStructure: 'xml' }, 'MessageStructure'],
    [{ MessageDeduplicationId: 'x' }, 'MessageDeduplicationId parameter that is not valid'],
  ])('of a message is refused: %j', async (given, message) => {
    await expect(
      client.send(new sns.PublishCommand({ TopicArn, Message: 'x', ...given })),
    ).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: expect.stringContaining(message),
    })
  })
})

describe('the attributes of a topic', () => {
  it('have the defaults of SNS', async () => {
    const { Attributes } = await client.send(new sns.GetTopicAttributesCommand({ TopicArn }))
    expect(Attributes).toMatchObject({ DisplayName: '', Owner: '000000000000', SubscriptionsPending: '0' })
    expect(JSON.parse(Attributes?.['Policy'] ?? '')).toMatchObject({ Statement: [{ Resource: TopicArn }] })
    expect(JSON.parse(Attributes?.['EffectiveDeliveryPolicy'] ?? '')).toHaveProperty('http')
    const fifo = await client.send(
      new sns.CreateTopicCommand({ Name: 't.fifo', Attributes: { FifoTopic: 'true' } }),
    )
    const told = await client.send(new sns.GetTopicAttributesCommand({ TopicArn: fifo.TopicArn }))
    expect(told.Attributes).toMatchObject({ FifoTopic: 'true', ContentBasedDeduplication: 'false' })
  })

  it.each([
    ['KmsMasterKeyId', 'alias/key', 'KmsMasterKeyId is not supported'],
    ['SQSSuccessFeedbackRoleArn', 'arn:x', 'SQSSuccessFeedbackRoleArn is not supported'],
    ['TracingConfig', 'Active', 'TracingConfig is not supported'],
    ['ContentBasedDeduplication', 'true', 'can only be set on FIFO topics'],
    ['Policy', 'nonsense', 'is not a value of Policy'],
    ['Colour', 'red', 'Unknown attribute Colour'],
  ])('refuse %s to be %s', async (AttributeName, AttributeValue, message) => {
    await expect(
      client.send(new sns.SetTopicAttributesCommand({ TopicArn, AttributeName, AttributeValue })),
    ).rejects.toMatchObject({ message: expect.stringContaining(message) })
  })
})
