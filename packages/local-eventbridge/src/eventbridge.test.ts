import * as eb from '@aws-sdk/client-eventbridge'
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { type Sqs, startSqs } from '@stepwright/local-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventBridge, startEventBridge } from './index.ts'

let sqs: Sqs
let queues: SQSClient
let bridge: EventBridge
let client: eb.EventBridgeClient
let nowMs = Date.parse('2026-11-16T09:00:30Z')
let wake: () => void = () => undefined
const problems: string[] = []

beforeAll(async () => {
  sqs = await startSqs()
  queues = new SQSClient(sqs.clientConfig)
  bridge = await startEventBridge({
    targets: { sqs: sqs.endpoint },
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        wake = () => {
          nowMs += ms
          resolve()
        }
      }),
    onProblem: message => problems.push(message),
  })
  client = new eb.EventBridgeClient(bridge.clientConfig)
})
afterAll(async () => {
  client.destroy()
  queues.destroy()
  await bridge.stop()
  await sqs.stop()
})

let count = 0
async function queue(): Promise<{ arn: string; url: string }> {
  const name = `q${count}`
  count += 1
  await queues.send(new CreateQueueCommand({ QueueName: name }))
  return { arn: sqs.queueArn(name), url: sqs.queueUrl(name) }
}

async function rule(
  given: Partial<eb.PutRuleCommandInput>,
  target: Partial<eb.Target> = {},
): Promise<{ name: string; url: string }> {
  const { arn, url } = await queue()
  const name = given.Name ?? `rule-${count}`
  await client.send(new eb.PutRuleCommand({ ...given, Name: name }))
  const Targets = [{ Id: 'one', Arn: arn, ...target }]
  await client.send(new eb.PutTargetsCommand({ Rule: name, Targets, ...pickBus(given) }))
  return { name, url }
}

function pickBus({ EventBusName }: { EventBusName?: string | undefined }) {
  return EventBusName === undefined ? {} : { EventBusName }
}

async function received(QueueUrl: string, wanted = 1): Promise<unknown[]> {
  const { Messages = [] } = await queues.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: wanted === 0 ? 0 : 10 }),
  )
  return Messages.map(({ Body = '' }) => JSON.parse(Body))
}

function put(detail: object, more: Partial<eb.PutEventsRequestEntry> = {}) {
  const Entries = [{ Source: 'shop', DetailType: 'Order', Detail: JSON.stringify(detail), ...more }]
  return client.send(new eb.PutEventsCommand({ Entries }))
}

describe('PutEvents', () => {
  it('delivers an event to the targets of the rules that ask for it', async () => {
    const asking = await rule({
      EventPattern: JSON.stringify({ source: ['shop'], detail: { total: [{ numeric: ['>', 100] }] } }),
    })
    const other = await rule({ EventPattern: JSON.stringify({ source: ['office'] }) })
    await put({ total: 99 })
    const { Entries: [{ EventId } = {}] = [] } = await put({ total: 101 }, { Resources: ['arn:a'] })
    expect(await received(asking.url)).toEqual([
      {
        version: '0',
        id: EventId,
        'detail-type': 'Order',
        source: 'shop',
        account: '000000000000',
        time: '2026-11-16T09:00:30Z',
        region: 'us-east-1',
        resources: ['arn:a'],
        detail: { total: 101 },
      },
    ])
    expect(await received(other.url, 0)).toEqual([])
  })

  it('refuses entries one by one', async () => {
    const { FailedEntryCount, Entries } = await client.send(
      new eb.PutEventsCommand({
        Entries: [
          { Source: 'shop', DetailType: 'a', Detail: '{}' },
          { Source: 'shop', DetailType: 'a', Detail: '{' },
          { Source: 'aws.s3', DetailType: 'a', Detail: '{}' },
          { DetailType: 'a', Detail: '{}' },
        ],
      }),
    )
    expect(FailedEntryCount).toBe(3)
    expect(Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
      undefined,
      'MalformedDetail',
      'NotAuthorizedForSourceException',
      'InvalidArgument',
    ])
    const eleven = new eb.PutEventsCommand({ Entries: Array.from({ length: 11 }, () => ({})) })
    await expect(client.send(eleven)).rejects.toThrow('less than or equal to 10')
  })

  it('keeps buses apart, and passes from one to another', async () => {
    await client.send(new eb.CreateEventBusCommand({ Name: 'orders' }))
    const pattern = JSON.stringify({ source: ['bus-test'] })
    const onBus = await rule({ EventPattern: pattern, EventBusName: 'orders' })
    const { EventBuses = [] } = await client.send(new eb.ListEventBusesCommand({ NamePrefix: 'ord' }))
    await rule({ EventPattern: pattern }, { Arn: EventBuses[0]?.Arn })
    await put({ by: 'name' }, { Source: 'bus-test', EventBusName: 'orders' })
    expect(await received(onBus.url)).toMatchObject([{ detail: { by: 'name' } }])
    await put({ by: 'way of the default' }, { Source: 'bus-test' })
    expect(await received(onBus.url)).toMatchObject([{ detail: { by: 'way of the default' } }])
  })
})

describe('a bus that passes events on', () => {
  it('passes on once: not to itself again and again, nor to a third', async () => {
    const buses = ['loop-a', 'loop-b', 'loop-c']
    const EventPattern = JSON.stringify({ source: ['loop'] })
    for (const Name of buses) await client.send(new eb.CreateEventBusCommand({ Name }))
    const arnOf = (name: string) => `arn:aws:events:us-east-1:000000000000:event-bus/${name}`
    const seen = await Promise.all(buses.map(EventBusName => rule({ EventPattern, EventBusName })))
    for (const [from, to] of [
      ['loop-a', 'loop-a'],
      ['loop-a', 'loop-b'],
      ['loop-b', 'loop-c'],
    ] as const) {
      await rule({ EventPattern, EventBusName: from }, { Arn: arnOf(to) })
    }
    await put({}, { Source: 'loop', EventBusName: 'loop-a' })
    expect(await received(seen[1]?.url ?? '')).toHaveLength(1)
    await expect.poll(() => received(seen[0]?.url ?? '', 0)).toHaveLength(2)
    expect(await received(seen[2]?.url ?? '', 0)).toEqual([])
  })
})

describe('a target', () => {
  it.each<[string, object]>([
    ['no template', { InputTransformer: { InputPathsMap: {} } }],
    ['a path that is none', { InputTransformer: { InputPathsMap: { a: 5 }, InputTemplate: '<a>' } }],
    ['a number for a path', { InputPath: 5 }],
    ['a number for JSON', { Input: 5 }],
    ['a group that is none', { SqsParameters: { MessageGroupId: 5 } }],
    ['tries that cannot be counted', { RetryPolicy: { MaximumRetryAttempts: 'many' } }],
  ])('is refused for %s', async (_what, given) => {
    const { name } = await rule({ EventPattern: '{"source":["refused"]}' })
    const response = await fetch(bridge.endpoint, {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSEvents.PutTargets' },
      body: JSON.stringify({ Rule: name, Targets: [{ Id: 'two', Arn: sqs.queueArn('q'), ...given }] }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ __type: 'ValidationException' })
  })

  it.each<[string, Partial<eb.Target>, unknown]>([
    ['a constant', { Input: '{"run":true}' }, { run: true }],
    ['a part', { InputPath: '$.detail.items[0].name' }, 'pen'],
    [
      'a template',
      {
        InputTransformer: {
          InputPathsMap: { name: '$.detail.items[0].name', total: '$.detail.total', items: '$.detail.items' },
          InputTemplate:
            '{"name":<name>,"text":"<name> for <total>","items":<items>,"rule":<aws.events.rule-name>}',
        },
      },
      { name: 'pen', text: 'pen for 3', items: [{ name: 'pen' }], rule: expect.stringMatching(/^rule-/) },
    ],
    [
      'a text',
      {
        InputTransformer: {
          InputPathsMap: { name: '$.detail.items[0].name' },
          InputTemplate: '"a <name>"',
        },
      },
      'a pen',
    ],
  ])('gets %s', async (what, target, expected) => {
    const { url } = await rule({ EventPattern: JSON.stringify({ source: [what] }) }, target)
    await put({ items: [{ name: 'pen' }], total: 3 }, { Source: what })
    expect(await received(url)).toEqual([expected])
  })

  it('that is not there has its events sent to its dead-letter queue, or reported', async () => {
    const dead = await queue()
    const Arn = sqs.queueArn('nowhere')
    const pattern = (source: string) => JSON.stringify({ source: [source] })
    await rule({ EventPattern: pattern('lost') }, { Arn, DeadLetterConfig: { Arn: dead.arn } })
    await put({ n: 1 }, { Source: 'lost' })
    const { Messages = [] } = await queues.send(
      new ReceiveMessageCommand({ QueueUrl: dead.url, WaitTimeSeconds: 10, MessageAttributeNames: ['All'] }),
    )
    expect(Messages.map(({ Body = '' }) => JSON.parse(Body))).toMatchObject([{ detail: { n: 1 } }])
    expect(Messages[0]?.MessageAttributes).toMatchObject({
      RULE_ARN: { StringValue: expect.stringContaining(':rule/rule-') },
      TARGET_ARN: { StringValue: Arn },
      ERROR_CODE: { StringValue: 'QueueDoesNotExist' },
      ERROR_MESSAGE: { StringValue: 'The specified queue does not exist.' },
      RETRY_ATTEMPTS: { StringValue: '2' },
    })
    await rule({ EventPattern: pattern('gone') }, { Arn: 'arn:aws:kinesis:us-east-1:000000000000:stream/s' })
    await put({}, { Source: 'gone' })
    await expect.poll(() => problems.at(-1)).toContain('Nothing on this machine answers arn:aws:kinesis')
  })
})

describe('a schedule', () => {
  it('runs a rule at its times until it is disabled', async () => {
    const { name, url } = await rule({ ScheduleExpression: 'cron(0/5 * * * ? *)' })
    wake()
    expect(await received(url)).toMatchObject([
      { 'detail-type': 'Scheduled Event', source: 'aws.events', time: '2026-11-16T09:05:00Z', detail: {} },
    ])
    wake()
    expect(await received(url)).toMatchObject([{ time: '2026-11-16T09:10:00Z' }])
    await client.send(new eb.DisableRuleCommand({ Name: name }))
    wake()
    expect(await received(url, 0)).toEqual([])
    await client.send(new eb.EnableRuleCommand({ Name: name }))
    wake()
    expect(await received(url)).toHaveLength(1)
    await client.send(new eb.DisableRuleCommand({ Name: name }))
  })

  it('does not make up for what it missed while the machine slept', async () => {
    const { name, url } = await rule({ ScheduleExpression: 'rate(1 minute)' })
    nowMs += 8 * 60 * 60_000
    wake()
    expect(await received(url)).toHaveLength(1)
    wake()
    expect(await received(url)).toHaveLength(1)
    await client.send(new eb.DisableRuleCommand({ Name: name }))
  })
})

describe('rules', () => {
  it('are listed page by page, and in no other way', async () => {
    for (const n of [1, 2, 3]) await rule({ Name: `paged-${n}`, EventPattern: '{"source":["paged"]}' })
    const list = (more: Partial<eb.ListRulesCommandInput>) =>
      client.send(new eb.ListRulesCommand({ NamePrefix: 'paged-', ...more }))
    const { Rules: first, NextToken } = await list({ Limit: 2 })
    const { Rules: second } = await list({ Limit: 2, NextToken })
    expect([first?.length, second?.length]).toEqual([2, 1])
    for (const wrong of [{ Limit: 0 }, { Limit: -1 }, { Limit: 101 }, { NextToken: 'x' }]) {
      await expect(list(wrong)).rejects.toMatchObject({ name: 'ValidationException' })
    }
  })

  it('are described, listed, and deleted once they have no targets', async () => {
    const EventPattern = JSON.stringify({ source: ['listed'] })
    const { name } = await rule({ EventPattern, Description: 'd' })
    const described = await client.send(new eb.DescribeRuleCommand({ Name: name }))
    expect(described).toMatchObject({ Name: name, State: 'ENABLED', EventPattern, Description: 'd' })
    const { Rules } = await client.send(new eb.ListRulesCommand({ NamePrefix: name }))
    expect(Rules).toMatchObject([{ Name: name }])
    const { Targets = [] } = await client.send(new eb.ListTargetsByRuleCommand({ Rule: name }))
    const { RuleNames } = await client.send(
      new eb.ListRuleNamesByTargetCommand({ TargetArn: Targets[0]?.Arn }),
    )
    expect(RuleNames).toEqual([name])
    const remove = () => client.send(new eb.DeleteRuleCommand({ Name: name }))
    await expect(remove()).rejects.toThrow("Rule can't be deleted since it has targets.")
    await client.send(new eb.RemoveTargetsCommand({ Rule: name, Ids: ['one'] }))
    await remove()
    await expect(client.send(new eb.DescribeRuleCommand({ Name: name }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: `Rule ${name} does not exist on EventBus default.`,
    })
  })

  it('are tested against an event', async () => {
    const test = (EventPattern: string) =>
      client.send(new eb.TestEventPatternCommand({ EventPattern, Event: JSON.stringify({ source: 'a' }) }))
    expect(await test('{"source":["a"]}')).toMatchObject({ Result: true })
    await expect(test('{"source":"a"}')).rejects.toMatchObject({
      name: 'InvalidEventPatternException',
      message: 'Event pattern is not valid. Reason: "source" must be an object or an array',
    })
  })

  it.each<[string, Partial<eb.PutRuleCommandInput>, string]>([
    ['nothing to run for', {}, 'EventPattern or ScheduleExpression must be specified'],
    ['an hour that is none', { ScheduleExpression: 'cron(0 25 * * ? *)' }, 'ScheduleExpression is not valid'],
    ['a name', { Name: 'a b', ScheduleExpression: 'rate(1 day)' }, "Value 'a b' at 'name' failed"],
    ['a bus', { EventBusName: 'none', EventPattern: '{"a":["b"]}' }, 'Event bus none does not exist.'],
  ])('are refused for %s', async (_what, input, message) => {
    await expect(client.send(new eb.PutRuleCommand({ Name: 'r', ...input }))).rejects.toThrow(message)
  })
})
