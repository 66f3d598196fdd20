import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sns, startSns } from './index.ts'

let service: Sns
beforeAll(async () => {
  service = await startSns({ onProblem: () => undefined })
  await call({ Action: 'CreateTopic', Name: 't' })
})
afterAll(() => service.stop())

async function call(form: Record<string, string>): Promise<number> {
  const response = await fetch(service.endpoint, { method: 'POST', body: new URLSearchParams(form) })
  await response.text()
  return response.status
}

const actions = [
  ...['CreateTopic', 'DeleteTopic', 'ListTopics', 'GetTopicAttributes', 'SetTopicAttributes', 'Subscribe'],
  ...['Unsubscribe', 'ListSubscriptionsByTopic', 'SetSubscriptionAttributes', 'Publish', 'PublishBatch'],
  ...['TagResource', 'UntagResource', 'ListTagsForResource', 'constructor', ''],
]
const names = [
  ...['Name', 'TopicArn', 'ResourceArn', 'Protocol', 'Endpoint', 'Message', 'MessageStructure', 'NextToken'],
  ...[
    'Attributes',
    'Attributes.entry.1.key',
    'Attributes.entry.1.value',
    'Attributes.entry',
    'Tags.member.1',
  ],
  ...['Tags.member.1.Key', 'MessageAttributes.entry.1.Name', 'MessageAttributes.entry.1.Value'],
  ...['MessageAttributes.entry.1.Value.DataType', 'PublishBatchRequestEntries.member.1'],
  ...['PublishBatchRequestEntries.member.1.Id', 'AttributeName', 'AttributeValue', '__proto__.x', '...'],
]
const values = [
  ...['t', 'arn:aws:sns:us-east-1:000000000000:t', 'sqs', 'arn:aws:sqs:us-east-1:0:q', 'json', '{}', ''],
  ...['FilterPolicy', '{"a":"b"}', 'FifoTopic', 'true'],
]

describe('startSns', () => {
  it('refuses what makes no sense, and is not harmed by it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...actions),
        fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.constantFrom(...values), fc.string())),
        async (Action, form) => {
          expect(await call({ Action, ...form })).toBeLessThan(500)
        },
      ),
      { numRuns: 150 },
    )
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })
})
