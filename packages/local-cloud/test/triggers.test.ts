import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApp, startApp } from '../src/index.ts'
import { triggered } from './app/triggered.ts'
import { createManualClock } from './manual-clock.ts'

type Name = keyof typeof triggered.functions

interface Record {
  readonly messageId: string
  readonly body: string
}

const clock = createManualClock(Date.parse('2026-11-16T02:58:00Z'))
let running: RunningApp
let sqs: SQSClient
let dynamo: DynamoDBClient
beforeAll(async () => {
  running = await startApp(triggered, { clock, enforcePolicies: true })
  sqs = new SQSClient(running.services.sqs.clientConfig)
  const { endpoint, region, credentials } = running.services.dynamoDb
  dynamo = new DynamoDBClient({ endpoint, region, credentials })
}, 60_000)
afterAll(async () => {
  dynamo.destroy()
  sqs.destroy()
  await running.stop()
}, 60_000)

/** The events that a function is called with, and what it answers: as it does, unless the test says otherwise. */
function listen(name: Name, answer?: (event: { Records: readonly Record[] }) => unknown) {
  const events: unknown[] = []
  let heard = Promise.withResolvers<void>()
  running.intercept(name, async (call, event) => {
    events.push(event)
    heard.resolve()
    return answer ? answer(event as { Records: readonly Record[] }) : call()
  })
  return {
    events,
    async next(): Promise<unknown> {
      while (events.length === 0) await heard.promise
      heard = Promise.withResolvers()
      return events.shift()
    },
  }
}

function sendAll(queue: 'mail' | 'steps' | 'orders', bodies: readonly string[]) {
  const Entries = bodies.map((MessageBody, at) => ({
    Id: String(at),
    MessageBody,
    ...(queue === 'steps' && { MessageGroupId: 'g', MessageDeduplicationId: MessageBody }),
  }))
  const QueueUrl = running.services.sqs.queueUrl(running.names.queues[queue] ?? '')
  return sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }))
}

async function deadLetters(queue: 'mail' | 'steps' | 'orders'): Promise<(string | undefined)[]> {
  const QueueUrl = running.services.sqs.queueUrl(running.names.deadLetterQueues[queue] ?? '')
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
  )
  return Messages.map(({ Body }) => Body)
}

describe('the stream of a table', { timeout: 30_000 }, () => {
  interface Change {
    readonly eventName: string
    readonly userIdentity?: object
    readonly dynamodb: {
      readonly SequenceNumber: string
      readonly Keys: { readonly sku: { readonly S: string } }
    }
  }
  const changes = (event: unknown) => (event as { Records: readonly Change[] }).Records
  const put = (sku: string, more: object = {}) =>
    dynamo.send(new PutItemCommand({ TableName: 'triggered-stock', Item: { sku: { S: sku }, ...more } }))

  it('calls a function with the changes in order, and again from the one that failed', async () => {
    const seen: string[] = []
    const failed: string[] = []
    const { next } = listen('Counted', event => {
      for (const { dynamodb } of changes(event)) {
        const { S: sku } = dynamodb.Keys.sku
        if (sku === 'bad' && failed.length < 2) {
          failed.push(sku)
          return { batchItemFailures: [{ itemIdentifier: dynamodb.SequenceNumber }] }
        }
        seen.push(sku)
      }
      return { batchItemFailures: [] }
    })
    for (const sku of ['a', 'bad', 'b', 'c']) await put(sku, { left: { N: '1' } })
    expect(changes(await next())[0]).toMatchObject({
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      eventVersion: '1.1',
      awsRegion: 'us-east-1',
      eventSourceARN: expect.stringMatching(/:table\/triggered-stock\/stream\//),
      dynamodb: {
        Keys: { sku: { S: 'a' } },
        NewImage: { sku: { S: 'a' }, left: { N: '1' } },
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    })
    await expect
      .poll(() => {
        clock.advance(5)
        return seen
      })
      .toEqual(['a', 'bad', 'b', 'c'])
    expect(failed).toEqual(['bad', 'bad'])
  })

  it('keeps where a change is that failed at every try, and goes on behind it', async () => {
    const seen: string[] = []
    listen('Counted', event => {
      const [{ dynamodb } = {} as Change] = changes(event)
      seen.push(dynamodb.Keys.sku.S)
      if (dynamodb.Keys.sku.S === 'poison') throw new Error('broken')
    })
    await put('poison')
    await put('next')
    await expect
      .poll(() => {
        clock.advance(5)
        return seen.at(-1)
      })
      .toBe('next')
    const QueueUrl = running.services.sqs.queueUrl('triggered-failed-events')
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
    )
    expect(Messages.map(({ Body = '' }) => JSON.parse(Body))).toContainEqual(
      expect.objectContaining({
        requestContext: expect.objectContaining({
          condition: 'RetryAttemptsExhausted',
          functionArn: expect.stringContaining('triggered-Counted'),
        }),
        DDBStreamBatchInfo: expect.objectContaining({ batchSize: 1 }),
      }),
    )
    const Entries = Messages.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }))
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }))
  })

  it('tells of items whose time to live has passed', async () => {
    const { next } = listen('Counted', () => ({}))
    await put('old', { endsAt: { N: String(Math.floor(clock.now() / 1000) - 10) } })
    expect(changes(await next())).toMatchObject([{ eventName: 'INSERT' }])
    expect(await running.services.dynamoDb.deleteExpiredItems()).toBe(1)
    expect(changes(await next())).toMatchObject([
      {
        eventName: 'REMOVE',
        userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
        dynamodb: { Keys: { sku: { S: 'old' } } },
      },
    ])
  })
})

describe('a schedule', { timeout: 30_000 }, () => {
  it('calls a function when its time has come, with its input or the event', async () => {
    const nightly = listen('Nightly')
    clock.advance(300)
    const events = [await nightly.next(), await nightly.next()]
    expect(events).toContainEqual({ often: true })
    expect(events).toContainEqual(
      expect.objectContaining({ 'detail-type': 'Scheduled Event', time: '2026-11-16T03:00:00Z' }),
    )
  })
})

describe('a trigger on a queue', { timeout: 30_000 }, () => {
  it('calls a function with what another sent', async () => {
    const collect = listen('Collect')
    await running.invoke('Send', { body: 'hello' })
    expect(await collect.next()).toEqual({
      Records: [
        {
          messageId: expect.any(String),
          receiptHandle: expect.any(String),
          body: 'hello',
          attributes: expect.objectContaining({ ApproximateReceiveCount: '1' }),
          messageAttributes: {},
          md5OfBody: '5d41402abc4b2a76b9719d911017c592',
          eventSource: 'aws:sqs',
          eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:triggered-mail',
          awsRegion: 'us-east-1',
        },
      ],
    })
  })

  it('is not for functions that do not declare it', async () => {
    const to = running.services.sqs.queueUrl('triggered-orders')
    await expect(running.invoke('Send', { body: 'x', to })).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining('sqs:SendMessage'),
    })
  })

  it('delivers again what failed of a batch, and in the end to the dead letters', async () => {
    const collect = listen('Collect', ({ Records }) => ({
      batchItemFailures: Records.filter(({ body }) => body === 'bad').map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    }))
    const seen: string[] = []
    const hear = async (count: number) => {
      while (seen.length < count) {
        const { Records } = (await collect.next()) as { Records: readonly Record[] }
        seen.push(...Records.map(({ body }) => body))
      }
    }
    await sendAll('mail', ['good', 'bad', 'fine'])
    await hear(3)
    clock.advance(60)
    await hear(4)
    expect(seen).toEqual(['good', 'bad', 'fine', 'bad'])
    clock.advance(60)
    await expect.poll(() => deadLetters('mail')).toEqual(['bad'])
  })

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['names a message that there is not', () => ({ batchItemFailures: [{ itemIdentifier: 'x' }] })],
  ])('delivers all of a batch again when the function %s', async (what, answer) => {
    const first = listen('Collect', answer)
    await sendAll('mail', [what])
    await first.next()
    const second = listen('Collect')
    clock.advance(60)
    expect(await second.next()).toMatchObject({ Records: [{ body: what }] })
  })

  it('delivers a message again whose function was killed', async () => {
    const collect = listen('Collect')
    await sendAll('mail', ['hang'])
    await collect.next()
    await expect.poll(() => running.kill('Collect')).toBe(true)
    const again = listen('Collect', () => null)
    clock.advance(60)
    expect(await again.next()).toMatchObject({
      Records: [{ body: 'hang', attributes: { ApproximateReceiveCount: '2' } }],
    })
  })

  it('has a task behind a queue send what will never succeed to the dead letters at once', async () => {
    await sendAll('orders', ['{"sku":"A1"}', '{"sku":7}'])
    await expect.poll(() => deadLetters('orders')).toEqual(['{"sku":7}'])
    const QueueUrl = running.services.sqs.queueUrl(running.names.queues['orders'] ?? '')
    const counts = () => sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))
    await expect
      .poll(async () => (await counts()).Attributes)
      .toMatchObject({ ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '0' })
  })

  it('keeps the order of a FIFO queue, while a message fails', async () => {
    const bodies: string[][] = []
    const step = listen('Step', ({ Records }) => {
      bodies.push(Records.map(({ body }) => body))
      if (bodies.length === 1) throw new Error('not yet')
      return null
    })
    await sendAll('steps', ['1', '2', '3'])
    await step.next()
    await sendAll('steps', ['4'])
    expect(bodies).toHaveLength(1)
    clock.advance(30)
    await step.next()
    expect(bodies).toEqual([
      ['1', '2', '3'],
      ['1', '2', '3', '4'],
    ])
  })
})

describe('a trigger on events', { timeout: 30_000 }, () => {
  it('calls a function for those that match its pattern', async () => {
    const ordered = listen('Ordered')
    await running.invoke('Publish', { source: 'shop', detail: { total: 99 } })
    await running.invoke('Publish', { source: 'shop', detail: { total: 101 } })
    expect(await ordered.next()).toMatchObject({
      source: 'shop',
      'detail-type': 'Test',
      detail: { total: 101 },
    })
    expect(ordered.events).toEqual([])
  })

  it('starts a workflow when another has failed', async () => {
    const noted = running.ended('noted')
    await running.start('failing', {}, 'ignored')
    await running.start('failing', {}, 'noted-1')
    expect(JSON.parse((await noted).output ?? '')).toMatchObject({ name: 'noted-1', status: 'FAILED' })
  })

  it('calls a function for objects', async () => {
    const uploaded = listen('Uploaded')
    const { endpoint, region, credentials } = running.services.s3
    const s3 = new S3Client({ endpoint, region, credentials })
    for (const Key of ['in/a.txt', 'out/a.csv', 'in/a.csv'])
      await s3.send(new PutObjectCommand({ Bucket: 'triggered-uploads', Key, Body: '' }))
    s3.destroy()
    expect(await uploaded.next()).toMatchObject({ source: 'aws.s3', detail: { object: { key: 'in/a.csv' } } })
    expect(uploaded.events).toEqual([])
  })

  it('tries a function that fails three times, and then says so and keeps the event', async () => {
    const failing = listen('Failing')
    const warned = new Promise<Error>(resolve => process.once('warning', resolve))
    await running.invoke('Publish', { source: 'broken', detail: { n: 1 } })
    await expect
      .poll(() => {
        clock.advance(60)
        return failing.events
      })
      .toHaveLength(3)
    expect((await warned).message).toBe('the function triggered-Failing failed 3 times: not today')
    expect(new Set(failing.events.map(event => JSON.stringify(event))).size).toBe(1)
    const QueueUrl = running.services.sqs.queueUrl('triggered-failed-events')
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }))
    expect(JSON.parse(Messages[0]?.Body ?? '')).toMatchObject({
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: { source: 'broken', detail: { n: 1 } },
      responsePayload: { errorType: 'Error', errorMessage: 'not today' },
    })
  })
})

describe('a state machine', { timeout: 30_000 }, () => {
  it('calls the services of the app, and catches their errors by name', async () => {
    const collect = listen('Collect')
    await running.start('calling', {}, 'calls')
    expect(await collect.next()).toMatchObject({ Records: [{ body: '{"text":"a state"}' }] })
    const { status, output } = await running.ended('calling', 'calls')
    expect([status, JSON.parse(output ?? '')]).toMatchObject([
      'SUCCEEDED',
      { Error: 'Lambda.ResourceNotFoundException' },
    ])
  })
})
