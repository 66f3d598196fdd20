import { CreateTopicCommand, SNSClient } from '@aws-sdk/client-sns'
import { afterAll, expect, it } from 'vitest'
import { testSns } from './test-sns.ts'

const { clientConfig, topicName } = testSns()
const client = new SNSClient(clientConfig)
afterAll(() => client.destroy())

it('gives topics of its own to each caller', async () => {
  const { TopicArn } = await client.send(new CreateTopicCommand({ Name: topicName('mail') }))
  expect(TopicArn).toContain(topicName('mail'))
  expect(testSns().topicName('mail')).not.toBe(topicName('mail'))
})
