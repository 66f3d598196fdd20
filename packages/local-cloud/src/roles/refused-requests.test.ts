import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { CreateTopicCommand, PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { type App, physicalNames } from '@stepwright/app'
import { startEventBridge } from '@stepwright/local-eventbridge'
import { startSns } from '@stepwright/local-sns'
import { startSqs } from '@stepwright/local-sqs'
import { defineTask } from '@stepwright/task'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { placesOf } from '../app/places.ts'
import { createLocalRoles } from './local-roles.ts'

const task = defineTask({ name: 'tell', input: z.any(), output: z.any(), errors: [], run: () => null })
const app: App = {
  name: 'shop',
  root: new URL('.', import.meta.url),
  resources: { queues: { work: {} } },
  functions: {
    Tells: {
      module: 'src/handlers.ts',
      kind: 'call',
      export: 'tell',
      task,
      environment: { QUEUE: { queue: 'work', may: ['send'] } },
      permissions: [{ actions: ['sns:Publish'], resources: ['arn:aws:sns:us-east-1:000000000000:news'] }],
    },
  },
}
const names = physicalNames(app)
const nowhere = { databaseUrl: () => '', apiUrl: () => '', queueUrl: (name: string) => name }
const roles = createLocalRoles(app, placesOf(app, names, nowhere), {})

it('lets a function do by SQS, SNS and EventBridge what its role allows, and nothing else', async () => {
  const guarded = (service: string) => ({
    refusalOf: ({
      accessKeyId,
      operation,
      input,
    }: {
      accessKeyId: string
      operation: string
      input: object
    }) => roles.refusalOf(accessKeyId, `aws-sdk:${service}`, operation, input),
  })
  await using sqs = await startSqs(guarded('sqs'))
  await using sns = await startSns(guarded('sns'))
  await using bridge = await startEventBridge(guarded('eventbridge'))
  const credentials = roles.credentialsOf('Tells') ?? { accessKeyId: '', secretAccessKey: '' }
  const developer = new SQSClient(sqs.clientConfig)
  const queues = new SQSClient({ ...sqs.clientConfig, credentials })
  const topics = new SNSClient({ ...sns.clientConfig, credentials })
  const buses = new EventBridgeClient({ ...bridge.clientConfig, credentials })
  const { QueueUrl = '' } = await developer.send(new CreateQueueCommand({ QueueName: names.queues['work'] }))
  await new SNSClient(sns.clientConfig).send(new CreateTopicCommand({ Name: 'news' }))

  const Entries = [{ Id: '1', MessageBody: 'hello' }]
  const sent = await queues.send(new SendMessageBatchCommand({ QueueUrl, Entries }))
  expect(sent.Successful).toHaveLength(1)
  await expect(queues.send(new ReceiveMessageCommand({ QueueUrl }))).rejects.toThrow(
    'is not authorized to perform: sqs:ReceiveMessage on resource: arn:aws:sqs:us-east-1:000000000000:shop-work',
  )
  const TopicArn = 'arn:aws:sns:us-east-1:000000000000:news'
  await topics.send(new PublishCommand({ TopicArn, Message: 'hello' }))
  await expect(
    topics.send(new PublishCommand({ TopicArn: `${TopicArn}-2`, Message: 'hello' })),
  ).rejects.toThrow('not authorized to perform: sns:Publish')
  await expect(buses.send(new PutEventsCommand({ Entries: [{ Source: 'shop' }] }))).rejects.toThrow(
    'not authorized to perform: events:PutEvents',
  )
})
