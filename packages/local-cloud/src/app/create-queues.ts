import {
  type App,
  isRuleTrigger,
  type PhysicalNames,
  queueDefaults,
  type TriggerDeclaration,
} from '@stepwright/app'
import { callJsonService } from '@stepwright/local-server'
import type { Sqs } from '@stepwright/local-sqs'

/** The queue for events that a function failed on each time, as a deployment names it. */
export function failedEventsQueue({ name }: App): string {
  return `${name}-failed-events`
}

/** Whether a function is called by something that does not wait for it, and so has that queue as its destination. */
export function isCalledByEvents({ triggers = {} }: App, functionName: string): boolean {
  return Object.values<TriggerDeclaration>(triggers).some(
    trigger => isRuleTrigger(trigger) && 'calls' in trigger && trigger.calls === functionName,
  )
}

/** Creates the queues that the app declares, each with one for dead letters, or brings them up to date. */
export async function createQueues(app: App, names: PhysicalNames, sqs: Sqs): Promise<void> {
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
  if (Object.values(app.triggers ?? {}).some(trigger => !('queue' in trigger)))
    await call('CreateQueue', { QueueName: failedEventsQueue(app) })
}
