import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sqs from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Sqs, startSqs } from './index.ts'

let service: Sqs
let client: sqs.SQSClient
let QueueUrl = ''
let nowMs = Date.UTC(2026, 0, 1)
let count = 0
const fifo = { FifoQueue: 'true', ContentBasedDeduplication: 'true' }

beforeAll(async () => {
  service = await startSqs({ now: () => nowMs })
  client = new sqs.SQSClient(service.clientConfig)
})
afterAll(async () => {
  client.destroy()
  await service.stop()
})
beforeEach(() => create(fifo))

async function create(Attributes: Record<string, string>): Promise<void> {
  count += 1
  const QueueName = `q${count}${Attributes['FifoQueue'] ? '.fifo' : ''}`
  const created = await client.send(new sqs.CreateQueueCommand({ QueueName, Attributes }))
  QueueUrl = created.QueueUrl ?? ''
}

function send(MessageBody: string, more: Partial<sqs.SendMessageCommandInput> = {}) {
  const MessageGroupId = MessageBody.replace(/\d.*/, '')
  return client.send(new sqs.SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId, ...more }))
}

async function receive(more: Partial<sqs.ReceiveMessageCommandInput> = {}): Promise<sqs.Message[]> {
  const { Messages = [] } = await client.send(
    new sqs.ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...more }),
  )
  return Messages
}

async function bodies(more: Partial<sqs.ReceiveMessageCommandInput> = {}) {
  return (await receive(more)).map(({ Body }) => Body)
}

function changeVisibility(message: sqs.Message | undefined, VisibilityTimeout: number) {
  const ReceiptHandle = message?.ReceiptHandle
  return client.send(new sqs.ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }))
}

describe('a receive from a FIFO queue', () => {
  it('takes as much as it can from one group before it goes to the next', async () => {
    for (const body of ['a1', 'b1', 'a2', 'b2', 'a3']) await send(body)
    expect(await bodies({ MaxNumberOfMessages: 4 })).toEqual(['a1', 'a2', 'a3', 'b1'])
    expect(await bodies()).toEqual([])
  })

  it('goes on with a group whose first message was made visible again', async () => {
    for (const body of ['a1', 'a2', 'a3']) await send(body)
    const [first] = await receive({ MaxNumberOfMessages: 2 })
    expect(await bodies()).toEqual([])
    await changeVisibility(first, 0)
    expect(await bodies()).toEqual(['a1'])
    nowMs += 30_000
    expect(await bodies()).toEqual(['a1', 'a2', 'a3'])
  })

  it('gives the same messages to who asks again under the same attempt id', async () => {
    for (const body of ['a1', 'a2', 'b1']) await send(body)
    const attempt = { MaxNumberOfMessages: 2, ReceiveRequestAttemptId: 'try' }
    const first = await receive(attempt)
    nowMs += 20_000
    const again = await receive(attempt)
    expect(again.map(({ Body }) => Body)).toEqual(['a1', 'a2'])
    expect(again.map(({ ReceiptHandle }) => ReceiptHandle)).toEqual(
      first.map(({ ReceiptHandle }) => ReceiptHandle),
    )
    nowMs += 20_000
    expect(await bodies({ ...attempt, ReceiveRequestAttemptId: 'other' })).toEqual(['b1'])
    await client.send(new sqs.DeleteMessageCommand({ QueueUrl, ReceiptHandle: first[0]?.ReceiptHandle }))
    expect(await bodies(attempt)).toEqual([])
    nowMs += 30_000
    expect(await bodies(attempt)).toEqual(['a2', 'b1'])
    nowMs += 300_000
    expect(await bodies(attempt)).toEqual(['a2', 'b1'])
    await expect(receive({ ReceiveRequestAttemptId: 'ä' })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    })
  })
})

describe('a send to a FIFO queue', () => {
  it('has the delay of the queue, also with DelaySeconds 0', async () => {
    await create({ ...fifo, DelaySeconds: '10' })
    await send('a1', { DelaySeconds: 0 })
    expect(await bodies()).toEqual([])
    nowMs += 10_000
    expect(await bodies()).toEqual(['a1'])
    await expect(send('a2', { DelaySeconds: 1 })).rejects.toMatchObject({ name: 'InvalidParameterValue' })
  })

  it.each<[string, object, string]>([
    ['no group', { MessageGroupId: undefined }, 'MissingParameter'],
    ['nothing to deduplicate by', { MessageDeduplicationId: undefined }, 'InvalidParameterValue'],
    ['a delay', { DelaySeconds: 5 }, 'InvalidParameterValue'],
  ])('is refused as a whole batch for an entry with %s', async (_what, wrong, name) => {
    await create({ FifoQueue: 'true' })
    const entry = { MessageBody: 'x', MessageGroupId: 'g', MessageDeduplicationId: 'x' }
    const Entries = [
      { Id: '1', ...entry },
      { Id: '2', ...entry, ...wrong },
    ]
    await expect(client.send(new sqs.SendMessageBatchCommand({ QueueUrl, Entries }))).rejects.toMatchObject({
      name,
    })
    expect(await bodies()).toEqual([])
  })

  it('can be repeated after a purge, also in the next process', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'stepwright-sqs-'))
    const message = { MessageBody: 'x', MessageGroupId: 'g', MessageDeduplicationId: 'x' }
    const received = async (own: sqs.SQSClient, url: string) => {
      const { Messages = [] } = await own.send(
        new sqs.ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
      )
      return Messages.length
    }
    try {
      for (const expected of [1, 2]) {
        await using kept = await startSqs({ dataDirectory, now: () => nowMs })
        const own = new sqs.SQSClient(kept.clientConfig)
        const url = kept.queueUrl('kept.fifo')
        if (expected === 1) {
          await own.send(
            new sqs.CreateQueueCommand({ QueueName: 'kept.fifo', Attributes: { FifoQueue: 'true' } }),
          )
          await own.send(new sqs.SendMessageCommand({ QueueUrl: url, ...message }))
          await own.send(new sqs.PurgeQueueCommand({ QueueUrl: url }))
          expect(await received(own, url)).toBe(0)
        } else {
          await own.send(new sqs.SendMessageCommand({ QueueUrl: url, ...message }))
          expect(await received(own, url)).toBe(1)
          nowMs += 61_000
          await own.send(new sqs.PurgeQueueCommand({ QueueUrl: url }))
          await own.send(new sqs.SendMessageCommand({ QueueUrl: url, ...message }))
          expect(await received(own, url)).toBe(1)
        }
        own.destroy()
      }
    } finally {
      await rm(dataDirectory, { recursive: true })
    }
  })
})

describe('a late change of visibility', () => {
  it('is accepted by a standard queue as long as nobody else received the message', async () => {
    await create({})
    await send('late')
    const [message] = await receive()
    nowMs += 31_000
    await changeVisibility(message, 60)
    expect(await bodies()).toEqual([])
    nowMs += 60_000
    expect(await bodies()).toEqual(['late'])
    await expect(changeVisibility(message, 60)).rejects.toMatchObject({ name: 'MessageNotInflight' })
  })

  it('is refused by a FIFO queue', async () => {
    await send('a1')
    const [message] = await receive()
    nowMs += 31_000
    await expect(changeVisibility(message, 60)).rejects.toThrow(
      'Message does not exist or is not available for visibility timeout change.',
    )
  })
})
