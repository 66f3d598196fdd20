import { defineBusinessError, TemporaryError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { createSqsDeadLetters, type DeadLetter } from '@stepwright/task/dead-letters'
import { toDynamoDbStreamHandler } from '@stepwright/task/dynamodb-stream'
import { toEventBridgeHandler } from '@stepwright/task/eventbridge'
import { toKinesisHandler } from '@stepwright/task/kinesis'
import { toScheduleHandler } from '@stepwright/task/schedule'
import { toSnsHandler } from '@stepwright/task/sns'
import { toSqsHandler } from '@stepwright/task/sqs'
import type {
  DynamoDBStreamEvent,
  EventBridgeEvent,
  KinesisStreamEvent,
  ScheduledEvent,
  SNSEvent,
  SQSEvent,
} from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { memorySinks } from './memory-sinks.ts'

class OutOfStock extends defineBusinessError('OutOfStock') {}

const order = z.object({ sku: z.string(), fails: z.optional(z.enum(['later', 'never'])) })

const task = defineTask({
  name: 'reserve',
  input: order,
  output: z.void(),
  errors: [OutOfStock, TemporaryError],
  async run({ sku, fails }, { done }: { done: string[] }) {
    await Promise.resolve()
    if (fails === 'later') throw new TemporaryError('not now')
    if (fails === 'never') throw new OutOfStock(`no ${sku}`, { details: { sku } })
    done.push(sku)
  },
})

function world() {
  const done: string[] = []
  const letters: DeadLetter[] = []
  const deadLetters = { send: async (letter: DeadLetter) => letters.push(letter) }
  return { done, letters, options: { ports: { done }, deadLetters, ...memorySinks() } }
}

type Order = z.infer<typeof order>

function sqsEvent(...orders: (Order & { group?: string })[]): SQSEvent {
  return {
    Records: orders.map(({ group, ...body }) => ({
      messageId: `m-${body.sku}`,
      receiptHandle: 'handle',
      body: JSON.stringify(body),
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '1523232000000',
        SenderId: '123456789012',
        ApproximateFirstReceiveTimestamp: '1523232000001',
        ...(group !== undefined && { MessageGroupId: group }),
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:123456789012:orders',
      awsRegion: 'us-east-1',
    })),
  }
}

describe('toSqsHandler', () => {
  it('sends back what may succeed later, and puts away what never will', async () => {
    const { done, letters, options } = world()
    const handler = toSqsHandler(task, options)
    const event = sqsEvent(
      { sku: 'A' },
      { sku: 'B', fails: 'later' },
      { sku: 'C', fails: 'never' },
      { sku: 'D' },
    )
    expect(await handler(event)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm-B' }] })
    expect(done).toEqual(['A', 'D'])
    expect(letters).toEqual([
      {
        task: 'reserve',
        id: 'm-C',
        body: '{"sku":"C","fails":"never"}',
        error: expect.objectContaining({ name: 'OutOfStock', message: 'no C', details: { sku: 'C' } }),
      },
    ])
  })

  it('keeps the order of a group: after one that goes back, the rest of it goes back untried', async () => {
    const { done, options } = world()
    const handler = toSqsHandler(task, { ...options, concurrency: 10 })
    const event = sqsEvent(
      { sku: 'A1', group: 'a' },
      { sku: 'B1', group: 'b' },
      { sku: 'A2', group: 'a', fails: 'later' },
      { sku: 'A3', group: 'a' },
      { sku: 'B2', group: 'b', fails: 'never' },
      { sku: 'B3', group: 'b' },
    )
    expect(await handler(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm-A2' }, { itemIdentifier: 'm-A3' }],
    })
    expect(done.toSorted()).toEqual(['A1', 'B1', 'B3'])
  })

  it('puts away what is not JSON, and says nothing of it', async () => {
    const { letters, options } = world()
    const [record] = sqsEvent({ sku: 'A' }).Records
    const event = { Records: [{ ...record, messageId: 'm', body: '{"secret": ' }] }
    expect(await toSqsHandler(task, options)(event)).toEqual({ batchItemFailures: [] })
    expect(letters[0]?.error).toMatchObject({
      name: 'DataValidationError',
      message: "the message's body must be JSON",
    })
  })

  it('sends back a business failure whose dead letter cannot be sent, or has nowhere to go', async () => {
    const { options } = world()
    const failing = { send: () => Promise.reject(new Error('no queue')) }
    const event = sqsEvent({ sku: 'A', fails: 'never' })
    const back = { batchItemFailures: [{ itemIdentifier: 'm-A' }] }
    expect(await toSqsHandler(task, { ...options, deadLetters: failing })(event)).toEqual(back)
    const { deadLetters: _, ...without } = options
    expect(await toSqsHandler(task, without)(event)).toEqual(back)
  })

  it('begins nothing for which there is no time, and sends it back', async () => {
    const { done, options } = world()
    let remaining = 30_000
    const handler = toSqsHandler(task, {
      ...options,
      input: message => {
        remaining = 500
        return JSON.parse(message.body)
      },
    })
    const context = { getRemainingTimeInMillis: () => remaining }
    expect(await handler(sqsEvent({ sku: 'A' }, { sku: 'B' }), context)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm-B' }],
    })
    expect(done).toEqual(['A'])
  })

  it('works on as many at once as it may', async () => {
    const { options } = world()
    let running = 0
    let most = 0
    const slow = defineTask({
      name: 'slow',
      input: order,
      output: z.void(),
      errors: [],
      async run() {
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
      },
    })
    const { ports: _, ...others } = options
    const event = sqsEvent(...Array.from({ length: 9 }, (_none, index) => ({ sku: `S${index}` })))
    await toSqsHandler(slow, { ...others, concurrency: 3 })(event)
    expect(most).toBe(3)
  })

  it.each([0, -1, 1.5, Number.NaN])(
    'refuses a concurrency of %d, which would lose what is delivered',
    concurrency => {
      const { options } = world()
      expect(() => toSqsHandler(task, { ...options, concurrency })).toThrow(
        'concurrency must be a whole number from 1',
      )
      expect(() => toKinesisHandler(task, { ...options, concurrency })).toThrow('concurrency must be')
    },
  )

  it('builds ports and dead letters once, from the settings', async () => {
    const { done, letters, options } = world()
    const built: string[] = []
    const handler = toSqsHandler(task, {
      ...options,
      settings: z.object({ QUEUE: z.string() }),
      environment: { QUEUE: 'letters' },
      ports: ({ QUEUE }) => {
        built.push(QUEUE)
        return { done }
      },
      deadLetters: ({ QUEUE }) => {
        built.push(QUEUE)
        return options.deadLetters
      },
    })
    await handler(sqsEvent({ sku: 'A' }, { sku: 'B', fails: 'never' }))
    await handler(sqsEvent({ sku: 'C' }))
    expect({ built, done, letters: letters.length }).toEqual({
      built: ['letters', 'letters'],
      done: ['A', 'C'],
      letters: 1,
    })
  })
})

function kinesisEvent(...orders: (Order & { key: string })[]): KinesisStreamEvent {
  return {
    Records: orders.map(({ key, ...data }) => ({
      awsRegion: 'us-east-1',
      eventID: `shardId-000000000000:${data.sku}`,
      eventName: 'aws:kinesis:record',
      eventSource: 'aws:kinesis',
      eventSourceARN: 'arn:aws:kinesis:us-east-1:123456789012:stream/orders',
      eventVersion: '1.0',
      invokeIdentityArn: 'arn:aws:iam::123456789012:role/worker',
      kinesis: {
        approximateArrivalTimestamp: 1_523_232_000,
        data: Buffer.from(JSON.stringify(data)).toString('base64'),
        kinesisSchemaVersion: '1.0',
        partitionKey: key,
        sequenceNumber: `n-${data.sku}`,
      },
    })),
  }
}

describe('toKinesisHandler', () => {
  it('stops at the first that may succeed later; what never will does not hold up the shard', async () => {
    const { done, letters, options } = world()
    const event = kinesisEvent(
      { sku: 'A', key: '1' },
      { sku: 'B', key: '2', fails: 'never' },
      { sku: 'C', key: '1', fails: 'later' },
      { sku: 'D', key: '2' },
    )
    const answer = await toKinesisHandler(task, options)(event)
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'n-C' }] })
    expect(done).toEqual(['A'])
    expect(letters.map(({ id }) => id)).toEqual(['n-B'])
  })

  it('keeps the order of each key when it works on several at once, and reports the first that failed', async () => {
    const { done, options } = world()
    const event = kinesisEvent(
      { sku: 'A1', key: 'a' },
      { sku: 'B1', key: 'b', fails: 'later' },
      { sku: 'A2', key: 'a', fails: 'later' },
      { sku: 'B2', key: 'b' },
      { sku: 'A3', key: 'a' },
      { sku: 'C1', key: 'c' },
    )
    const answer = await toKinesisHandler(task, { ...options, concurrency: 3 })(event)
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'n-B1' }] })
    expect(done.toSorted()).toEqual(['A1', 'C1'])
  })
})

describe('toDynamoDbStreamHandler', () => {
  it('gives the task the change as plain values', async () => {
    const seen: unknown[] = []
    const watch = defineTask({
      name: 'watch',
      input: z.any(),
      output: z.void(),
      errors: [],
      async run(change) {
        seen.push(change)
      },
    })
    const event: DynamoDBStreamEvent = {
      Records: [
        {
          eventID: '1',
          eventName: 'MODIFY',
          eventSource: 'aws:dynamodb',
          dynamodb: {
            SequenceNumber: '111',
            StreamViewType: 'NEW_AND_OLD_IMAGES',
            Keys: { id: { S: 'u1' } },
            OldImage: { id: { S: 'u1' }, points: { N: '1' } },
            NewImage: {
              id: { S: 'u1' },
              points: { N: '2.5' },
              large: { N: '9007199254740993' },
              tags: { SS: ['a', 'b'] },
              sizes: { NS: ['1', '2'] },
              more: { M: { list: { L: [{ BOOL: true }, { NULL: true }, { B: 'AQI=' }] } } },
              none: { S: '' },
            },
          },
        },
      ],
    } as unknown as DynamoDBStreamEvent
    expect(await toDynamoDbStreamHandler(watch, memorySinks())(event)).toEqual({ batchItemFailures: [] })
    expect(seen).toEqual([
      {
        eventName: 'MODIFY',
        keys: { id: 'u1' },
        oldImage: { id: 'u1', points: 1 },
        newImage: {
          id: 'u1',
          points: 2.5,
          large: '9007199254740993',
          tags: ['a', 'b'],
          sizes: [1, 2],
          more: { list: [true, null, 'AQI='] },
          none: '',
        },
      },
    ])
  })

  it('reports the first record that may succeed later', async () => {
    const { options } = world()
    const record = (sku: string, fails?: string) => ({
      eventName: 'INSERT' as const,
      dynamodb: {
        SequenceNumber: sku,
        NewImage: { sku: { S: sku }, ...(fails !== undefined && { fails: { S: fails } }) },
      },
    })
    const handler = toDynamoDbStreamHandler(task, {
      ...options,
      input: ({ dynamodb }) => ({
        sku: dynamodb?.NewImage?.['sku']?.S,
        fails: dynamodb?.NewImage?.['fails']?.S,
      }),
    })
    const answer = await handler({ Records: [record('A'), record('B', 'later'), record('C')] })
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'B' }] })
  })
})

describe('the handlers of services that call asynchronously', () => {
  const event = (detail: Order): EventBridgeEvent<'Order', Order> => ({
    id: 'e1',
    version: '0',
    account: '123456789012',
    time: '2026-11-17T00:00:00Z',
    region: 'us-east-1',
    resources: [],
    source: 'shop',
    'detail-type': 'Order',
    detail,
  })
  const notification = (message: Order): SNSEvent => ({
    Records: [
      {
        EventVersion: '1.0',
        EventSubscriptionArn: 'arn:aws:sns:us-east-1:123456789012:orders:1',
        EventSource: 'aws:sns',
        Sns: {
          SignatureVersion: '1',
          Timestamp: '2026-11-17T00:00:00Z',
          Signature: '',
          SigningCertUrl: '',
          MessageId: 's1',
          Message: JSON.stringify(message),
          MessageAttributes: {},
          Type: 'Notification',
          UnsubscribeUrl: '',
          TopicArn: 'arn:aws:sns:us-east-1:123456789012:orders',
          Subject: '',
        },
      },
    ],
  })

  it.each([
    [
      'toEventBridgeHandler',
      (options: ReturnType<typeof world>['options'], body: Order) =>
        toEventBridgeHandler(task, options)(event(body)),
      'e1',
    ],
    [
      'toSnsHandler',
      (options: ReturnType<typeof world>['options'], body: Order) =>
        toSnsHandler(task, options)(notification(body)),
      's1',
    ],
  ] as const)(
    '%s throws what may succeed later, and puts away what never will',
    async (_name, handle, id) => {
      const { done, letters, options } = world()
      await handle(options, { sku: 'A' })
      await handle(options, { sku: 'B', fails: 'never' })
      await expect(handle(options, { sku: 'C', fails: 'later' })).rejects.toMatchObject({
        name: 'TemporaryError',
      })
      expect(done).toEqual(['A'])
      expect(letters).toMatchObject([{ id, error: { name: 'OutOfStock' } }])
    },
  )

  it('toScheduleHandler tells the task when it was due', async () => {
    const seen: unknown[] = []
    const sweep = defineTask({
      name: 'sweep',
      input: z.object({ scheduledAt: z.iso.datetime() }),
      output: z.void(),
      errors: [],
      async run(input) {
        seen.push(input)
      },
    })
    const due: ScheduledEvent = { ...event({ sku: '' }), 'detail-type': 'Scheduled Event', detail: {} }
    await toScheduleHandler(sweep, memorySinks())(due)
    expect(seen).toEqual([{ scheduledAt: '2026-11-17T00:00:00Z' }])
  })
})

describe('createSqsDeadLetters', () => {
  it('puts the error into attributes that SQS accepts', async () => {
    const sent: { input: Record<string, unknown> }[] = []
    const client = { send: async (command: { input: Record<string, unknown> }) => sent.push(command) }
    const error = new OutOfStock(`bad \0 text \ud800 ${'x'.repeat(5_000)}`, { details: { sku: 'A' } })
    const letter = { task: 'reserve', id: 'm-1', body: '', error }
    await createSqsDeadLetters({ queueUrl: 'http://127.0.0.1/letters.fifo', client }).send(letter)
    expect(sent[0]?.input).toMatchObject({
      QueueUrl: 'http://127.0.0.1/letters.fifo',
      MessageBody: ' ',
      MessageGroupId: 'reserve',
      MessageDeduplicationId: 'm-1',
      MessageAttributes: {
        Task: { DataType: 'String', StringValue: 'reserve' },
        ErrorName: { DataType: 'String', StringValue: 'OutOfStock' },
        ErrorMessage: {
          DataType: 'String',
          StringValue: expect.stringMatching(/^bad \ufffd text \ufffd x+$/),
        },
        ErrorDetails: { DataType: 'String', StringValue: '{"sku":"A"}' },
      },
    })
  })
})
