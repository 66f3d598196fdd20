import { createHash } from 'node:crypto'
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
import { fromAttributeValues } from '../src/attribute-value.ts'
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
      eventSourceARN: `arn:aws:sqs:us-east-1:123456789012:orders${group === undefined ? '' : '.fifo'}`,
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

  it('holds nothing back in a standard queue, whose groups have no order', async () => {
    const { done, options } = world()
    const { Records } = sqsEvent(
      { sku: 'A1', group: 'tenant', fails: 'later' },
      { sku: 'A2', group: 'tenant' },
    )
    const fair = Records.map(record => ({ ...record, eventSourceARN: 'arn:aws:sqs:us-east-1:1:orders' }))
    expect(await toSqsHandler(task, options)({ Records: fair })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm-A1' }],
    })
    expect(done).toEqual(['A2'])
  })

  it('names a message that came twice in a batch once', async () => {
    const { done, options } = world()
    const event = sqsEvent({ sku: 'A', fails: 'later' }, { sku: 'A', fails: 'later' }, { sku: 'B' })
    expect(await toSqsHandler(task, options)(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm-A' }],
    })
    expect(done).toEqual(['B'])
  })

  it('has nothing to do for an empty batch', async () => {
    const { options } = world()
    expect(await toSqsHandler(task, options)({ Records: [] })).toEqual({ batchItemFailures: [] })
  })

  it('runs a batch as large as Lambda makes them', async () => {
    const { done, options } = world()
    const orders = Array.from({ length: 10_000 }, (_, n) => ({ sku: String(n) }))
    const answer = await toSqsHandler(task, { ...options, concurrency: 50 })(sqsEvent(...orders))
    expect({ answer, done: done.length }).toEqual({ answer: { batchItemFailures: [] }, done: 10_000 })
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
    const failing = { send: () => Promise.reject(Object.assign(new Error('no queue'), { name: 'NoQueue' })) }
    const event = sqsEvent({ sku: 'A', fails: 'never' })
    const back = { batchItemFailures: [{ itemIdentifier: 'm-A' }] }
    const { lines, ...sinks } = memorySinks()
    expect(await toSqsHandler(task, { ...options, ...sinks, deadLetters: failing })(event)).toEqual(back)
    expect(lines).toContainEqual(
      expect.objectContaining({
        message: 'a dead letter of reserve was not sent',
        fields: expect.objectContaining({ reason: 'NoQueue' }),
      }),
    )
    const { deadLetters: _, ...without } = options
    expect(await toSqsHandler(task, without)(event)).toEqual(back)
  })

  it('sends back what failed alone, although neither a dead letter nor a line of log can be written', async () => {
    const { done, options } = world()
    const fail = () => {
      throw new Error('the disk is full')
    }
    const broken = {
      logger: { debug: fail, info: fail, warn: fail, error: fail },
      deadLetters: { send: fail },
    }
    const event = sqsEvent({ sku: 'A', fails: 'never' }, { sku: 'B' })
    expect(await toSqsHandler(task, { ...options, ...broken })(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm-A' }],
    })
    expect(done).toEqual(['B'])
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

  it('builds ports and dead letters once', async () => {
    const { done, letters, options } = world()
    const built: string[] = []
    const handler = toSqsHandler(task, {
      ...options,
      ports: () => {
        built.push('ports')
        return { done }
      },
      deadLetters: () => {
        built.push('letters')
        return options.deadLetters
      },
    })
    await handler(sqsEvent({ sku: 'A' }, { sku: 'B', fails: 'never' }))
    await handler(sqsEvent({ sku: 'C' }))
    expect({ built: built.toSorted(), done, letters: letters.length }).toEqual({
      built: ['letters', 'ports'],
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

/** What the Kinesis Producer Library makes of several records. */
function aggregate(...orders: (Order & { key: string })[]): string {
  const field = (number: number, bytes: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes])
  const varint = (value: number): Buffer =>
    value < 128
      ? Buffer.from([value])
      : Buffer.concat([Buffer.from([(value % 128) | 128]), varint(value >> 7)])
  const keys = [...new Set(orders.map(({ key }) => key))]
  const message = Buffer.concat([
    ...keys.map(key => field(1, Buffer.from(key))),
    field(2, Buffer.from('170141183460469231731687303715884105728')),
    ...orders.map(({ key, ...data }) => {
      const index = Buffer.from([1 << 3, keys.indexOf(key), 2 << 3, 0])
      return field(3, Buffer.concat([index, field(3, Buffer.from(JSON.stringify(data)))]))
    }),
  ])
  const md5 = createHash('md5').update(message).digest()
  return Buffer.concat([Buffer.from([0xf3, 0x89, 0x9a, 0xc2]), message, md5]).toString('base64')
}

function aggregated(event: KinesisStreamEvent, data: string): KinesisStreamEvent {
  return { Records: event.Records.map(record => ({ ...record, kinesis: { ...record.kinesis, data } })) }
}

describe('toKinesisHandler, of records that a producer packed into one', () => {
  const packed = (...orders: (Order & { key: string })[]) =>
    aggregated(kinesisEvent({ sku: 'packed', key: 'any' }), aggregate(...orders))

  it('runs the task for each, and puts away each that never will succeed', async () => {
    const { done, letters, options } = world()
    const event = packed(
      { sku: 'A', key: 'a' },
      { sku: 'B'.repeat(200), key: 'b', fails: 'never' },
      { sku: 'C', key: 'a' },
    )
    expect(await toKinesisHandler(task, options)(event)).toEqual({ batchItemFailures: [] })
    expect(done).toEqual(['A', 'C'])
    expect(letters).toMatchObject([{ id: 'n-packed.1' }])
    expect(JSON.parse(Buffer.from(letters[0]?.body ?? '', 'base64').toString())).toMatchObject({
      fails: 'never',
    })
  })

  it('reports the record that Kinesis knows when one of them may succeed later', async () => {
    const { done, options } = world()
    const event = packed(
      { sku: 'A', key: 'a' },
      { sku: 'B', key: 'b', fails: 'later' },
      { sku: 'C', key: 'a' },
    )
    expect(await toKinesisHandler(task, options)(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'n-packed' }],
    })
    expect(done).toEqual(['A'])
  })

  it('keeps the order of each of their keys', async () => {
    const { done, options } = world()
    const event = packed(
      { sku: 'A1', key: 'a', fails: 'later' },
      { sku: 'A2', key: 'a' },
      { sku: 'B', key: 'b' },
    )
    await toKinesisHandler(task, { ...options, concurrency: 2 })(event)
    expect(done).toEqual(['B'])
  })

  it('puts away what only looks packed, whatever it holds', async () => {
    const whole = Buffer.from(aggregate({ sku: 'A', key: 'a' }), 'base64')
    const wrongSum = Buffer.from(whole)
    wrongSum.writeUInt8(wrongSum.readUInt8(10) ^ 1, 10)
    const md5 = createHash('md5')
      .update(Buffer.from([0x1a, 0x7f]))
      .digest()
    const endsEarly = Buffer.concat([whole.subarray(0, 4), Buffer.from([0x1a, 0x7f]), md5])
    for (const data of [wrongSum, endsEarly, whole.subarray(0, 12), whole.subarray(0, 4)]) {
      const { letters, options } = world()
      const event = aggregated(kinesisEvent({ sku: 'packed', key: 'any' }), data.toString('base64'))
      expect(await toKinesisHandler(task, options)(event)).toEqual({ batchItemFailures: [] })
      expect(letters).toMatchObject([{ id: 'n-packed', error: { name: 'DataValidationError' } }])
    }
  })
})

describe('fromAttributeValues', () => {
  it.each([
    ['0.0000001', 1e-7],
    ['1E-7', 1e-7],
    ['-1.50', -1.5],
    ['123456789012345', 123_456_789_012_345],
    ['1E+100', 1e100],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740992', 9_007_199_254_740_992],
    ['0.30000000000000004', 0.300_000_000_000_000_04],
    ['3.14159265358979323846', '3.14159265358979323846'],
  ])('reads the number %s as %j', (text, expected) => {
    expect(fromAttributeValues({ n: { N: text }, set: { NS: [text] } })).toEqual({
      n: expected,
      set: [expected],
    })
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
  interface Sent {
    readonly MessageBody: string
    readonly MessageGroupId?: string
    readonly MessageDeduplicationId?: string
    readonly MessageAttributes: Readonly<Record<string, { DataType: string; StringValue: string }>>
  }

  async function send(letter: Partial<DeadLetter>, queueUrl = 'http://127.0.0.1/letters'): Promise<Sent> {
    const sent: { input: Sent }[] = []
    const client = { send: async (command: { input: Sent }) => sent.push(command) }
    const error = new OutOfStock('none left')
    const whole = { task: 'reserve', id: 'm-1', body: '{}', error, ...letter }
    await createSqsDeadLetters({ queueUrl, client }).send(whole)
    return sent[0]?.input as Sent
  }

  function bytesOf({ MessageBody, MessageAttributes }: Sent): number {
    const attributes = Object.entries(MessageAttributes).map(
      ([name, { DataType, StringValue }]) => name + DataType + StringValue,
    )
    return Buffer.byteLength([MessageBody, ...attributes].join(''))
  }

  it('puts the error into attributes that SQS accepts', async () => {
    const error = new OutOfStock(`bad \0 text \ud800 ${'x'.repeat(5_000)}`, { details: { sku: 'A' } })
    expect(await send({ body: '', error })).toMatchObject({
      QueueUrl: 'http://127.0.0.1/letters',
      MessageBody: ' ',
      MessageAttributes: {
        Task: { DataType: 'String', StringValue: 'reserve' },
        DeliveryId: { DataType: 'String', StringValue: 'm-1' },
        ErrorName: { DataType: 'String', StringValue: 'OutOfStock' },
        ErrorMessage: {
          DataType: 'String',
          StringValue: expect.stringMatching(/^bad \ufffd text \ufffd x+$/),
        },
        ErrorDetails: { DataType: 'String', StringValue: '{"sku":"A"}' },
      },
    })
  })

  it('sends the letters of two tasks about one delivery to a FIFO queue, each once', async () => {
    const fifo = 'http://127.0.0.1/letters.fifo'
    const first = await send({}, fifo)
    expect(first).toMatchObject({
      MessageGroupId: 'reserve',
      MessageDeduplicationId: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect((await send({}, fifo)).MessageDeduplicationId).toBe(first.MessageDeduplicationId)
    expect((await send({ task: 'bill' }, fifo)).MessageDeduplicationId).not.toBe(first.MessageDeduplicationId)
  })

  it('keeps the details JSON, however long or strange they are', async () => {
    const details = async (given: Record<string, unknown>) =>
      JSON.parse(
        (await send({ error: new OutOfStock('no', { details: given as never }) })).MessageAttributes[
          'ErrorDetails'
        ]?.StringValue ?? '',
      )
    expect(await details({ text: 'x'.repeat(30_000) })).toEqual({ omittedCharacters: 30_011 })
    expect(await details({ count: 1n })).toEqual({ unreadable: true })
  })

  it('cuts a letter that is longer than a queue takes, and says how long it was', async () => {
    const long = await send({
      body: '語'.repeat(500_000),
      error: new OutOfStock('x'.repeat(9_000), { details: { a: 1 } }),
    })
    expect(bytesOf(long)).toBeLessThanOrEqual(1_048_576)
    expect(bytesOf(long)).toBeGreaterThan(1_040_000)
    expect(long.MessageAttributes['BodyBytes']).toEqual({ DataType: 'Number', StringValue: '1500000' })
    expect(long.MessageBody).toMatch(/^語+$/)
    expect(await send({})).not.toHaveProperty('MessageAttributes.BodyBytes')
  })
})
