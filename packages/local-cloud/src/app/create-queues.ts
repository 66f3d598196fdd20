import { type AnyApp, type PhysicalNames, queueDefaults } from '@stepwright/app'
import { callJsonService } from '@stepwright/local-server'
import type { Sqs } from '@stepwright/local-sqs'

/** Creates the queues that the app declares, each with one for dead letters, or brings them up to date. */
export async function createQueues(app: AnyApp, names: PhysicalNames, sqs: Sqs): Promise<void> {
  const call = (operation: string, input: object): Promise<unknown> =>
    callJsonService({ endpoint: sqs.endpoint, target: `AmazonSQS.${operation}`, version: '1.0', input })
  for (const [key, queue] of Object.entries(app.resources?.queues ?? {})) {
    const {
      fifo = false,
      visibilitySeconds = queueDefaults.visibilitySeconds,
      maxReceives = queueDefaults.maxReceives,
    } = queue
    const kind = fifo ? { FifoQueue: 'true' } : {}
    const [name = '', deadLetters = ''] = [names.queues[key], names.deadLetterQueues[key]]
    await call('CreateQueue', { QueueName: deadLetters, Attributes: kind })
    await call('CreateQueue', { QueueName: name, Attributes: kind })
    const RedrivePolicy = JSON.stringify({
      deadLetterTargetArn: sqs.queueArn(deadLetters),
      maxReceiveCount: maxReceives,
    })
    const Attributes = { VisibilityTimeout: String(visibilitySeconds), RedrivePolicy }
    await call('SetQueueAttributes', { QueueUrl: sqs.queueUrl(name), Attributes })
  }
}
