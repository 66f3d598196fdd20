import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sqs, startSqs } from './index.ts'

let service: Sqs
beforeAll(async () => {
  service = await startSqs({ sleep: async () => undefined })
  await call('CreateQueue', { QueueName: 'q' })
  await call('CreateQueue', { QueueName: 'q.fifo', Attributes: { FifoQueue: 'true' } })
})
afterAll(() => service.stop())

async function call(operation: string, input: unknown): Promise<number> {
  const headers = { 'x-amz-target': `AmazonSQS.${operation}`, 'content-type': 'application/x-amz-json-1.0' }
  const body = typeof input === 'string' ? input : JSON.stringify(input)
  const response = await fetch(service.endpoint, { method: 'POST', headers, body })
  await response.text()
  return response.status
}

const operations = [
  ...['SendMessage', 'SendMessageBatch', 'DeleteMessage', 'DeleteMessageBatch', 'ChangeMessageVisibility'],
  ...['ChangeMessageVisibilityBatch', 'CreateQueue', 'GetQueueUrl', 'ListQueues', 'GetQueueAttributes'],
  ...['SetQueueAttributes', 'TagQueue', 'UntagQueue', 'ListQueueTags', 'ListDeadLetterSourceQueues'],
  ...['StartMessageMoveTask', 'ListMessageMoveTasks', 'ReceiveMessage'],
]
const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('q', 'WyJxIiwieCIsMV0=', '{}'))
const input = fc.record(
  {
    QueueUrl: fc.constantFrom('http://x/0/q', 'http://x/0/q.fifo', 'q', '', 5),
    QueueName: value,
    MessageBody: fc.oneof(value, fc.string()),
    MessageAttributes: fc.oneof(value, fc.dictionary(fc.string(), value)),
    MessageGroupId: value,
    MessageDeduplicationId: value,
    DelaySeconds: value,
    Entries: fc.oneof(value, fc.array(fc.oneof(value, fc.record({ Id: fc.string(), MessageBody: value })))),
    ReceiptHandle: value,
    VisibilityTimeout: value,
    MaxNumberOfMessages: value,
    MessageAttributeNames: value,
    Attributes: fc.oneof(value, fc.dictionary(fc.constantFrom('RedrivePolicy', 'DelaySeconds', 'x'), value)),
    AttributeNames: value,
    Tags: value,
    TagKeys: value,
    SourceArn: value,
    MaxResults: value,
    NextToken: value,
  },
  { requiredKeys: ['QueueUrl'] },
)

describe('startSqs', () => {
  it('refuses what makes no sense, and is not harmed by it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), input, async (operation, given) => {
        expect(await call(operation, given)).toBeLessThan(500)
      }),
      { numRuns: 150 },
    )
    for (const body of ['', 'null', '[]', '{', '"x"']) expect(await call('SendMessage', body)).toBe(400)
    expect(await call('toString', {})).toBe(400)
    for (const name of ['constructor', 'toString', '__proto__']) {
      const Attributes = JSON.parse(`{"${name}":"1"}`)
      expect(await call('CreateQueue', { QueueName: 'strange', Attributes })).toBe(400)
    }
  })
})
