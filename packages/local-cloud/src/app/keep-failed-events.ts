import type { App, Places } from '@stepwright/app'
import { callJsonService } from '@stepwright/local-server'
import type { Sqs } from '@stepwright/local-sqs'
import { nameOf } from '../lambda/function-configuration.ts'
import type { LambdaOptions } from '../lambda/lambda.ts'
import { failedEventsQueue, isCalledByEvents } from './create-queues.ts'

/** Sends what functions that are called by events failed on to the app's queue for it, as a deployment does. */
export function keepFailedEvents(
  app: App,
  places: Places,
  sqs: Sqs,
): NonNullable<LambdaOptions['onFailure']> {
  const called = Object.keys(app.functions).filter(name => isCalledByEvents(app, name))
  const withDestination = new Set(called.map(name => nameOf(places.functionArn(name))))
  return async (functionName, failed) => {
    if (!withDestination.has(functionName)) return
    await sendFailure(app, sqs, failed)
  }
}

/** Keeps what a function failed on in the app's queue for it. */
export async function sendFailure(app: App, sqs: Sqs, failed: object): Promise<void> {
  await callJsonService({
    endpoint: sqs.endpoint,
    target: 'AmazonSQS.SendMessage',
    version: '1.0',
    input: { QueueUrl: sqs.queueUrl(failedEventsQueue(app)), MessageBody: JSON.stringify(failed) },
  })
}
