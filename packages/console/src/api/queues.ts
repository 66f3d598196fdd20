import { GetQueueAttributesCommand, ListQueuesCommand } from '@aws-sdk/client-sqs'
import type { QueueDescription } from '../protocol.ts'
import type { ApiRoutes } from './context.ts'

export const queueRoutes: ApiRoutes = {
  /** Counted, not received: to look at a message would hide it from whom it is for. */
  'GET /api/queues': async (_, { sqs }): Promise<{ readonly queues: readonly QueueDescription[] }> => {
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ MaxResults: 1000 }))
    const queues = QueueUrls.map(async (QueueUrl): Promise<QueueDescription> => {
      const { Attributes: of = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      )
      const { deadLetterTargetArn = '' } = JSON.parse(of['RedrivePolicy'] ?? '{}') as {
        deadLetterTargetArn?: string
      }
      return {
        name: QueueUrl.split('/').at(-1) ?? '',
        waiting: Number(of['ApproximateNumberOfMessages'] ?? 0),
        inFlight: Number(of['ApproximateNumberOfMessagesNotVisible'] ?? 0),
        delayed: Number(of['ApproximateNumberOfMessagesDelayed'] ?? 0),
        deadLetters: deadLetterTargetArn.split(':').at(-1) ?? '',
      }
    })
    return { queues: await Promise.all(queues) }
  },
}
