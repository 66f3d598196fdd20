import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, expect, it } from 'vitest'
import { testSqs } from './test-sqs.ts'

const { clientConfig, queueName } = testSqs()
const client = new SQSClient(clientConfig)
afterAll(() => client.destroy())

it('gives queues of its own to each caller', async () => {
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: queueName('mail') }))
  expect(QueueUrl).toContain(queueName('mail'))
  expect(testSqs().queueName('mail')).not.toBe(queueName('mail'))
})
