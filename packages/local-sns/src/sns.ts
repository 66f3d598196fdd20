import { resolve } from 'node:path'
import {
  createDelivery,
  createUnderWay,
  type LocalService,
  localRegion,
  type RefusalOf,
  startLocalService,
  type TargetEndpoints,
} from '@stepwright/local-server'
import { createOperations } from './api/operations.ts'
import { parameters } from './api/parameters.ts'
import { createPublish } from './api/publish.ts'
import { createQueryProtocol } from './api/query-protocol.ts'
import { deliverNotification } from './topics/deliver-notification.ts'
import type { Notification, Topic } from './topics/topic.ts'
import { openTopics } from './topics/topics.ts'

export interface SnsOptions {
  /** @default a free one */
  readonly port?: number
  /** Where topics and subscriptions outlive `stop()`, and a kill. @default memory */
  readonly dataDirectory?: string
  /** Where the services are whose queues and functions can subscribe. @default none */
  readonly targets?: Pick<TargetEndpoints, 'lambda' | 'sqs'>
  /** @default '000000000000' */
  readonly account?: string
  /** Why a caller may not do what it asks for, if it may not. @default everybody may do everything */
  readonly refusalOf?: RefusalOf
  /** @default Date.now */
  readonly now?: () => number
  /** Hears of what could not be delivered. @default a warning of the process */
  readonly onProblem?: (message: string) => void
}

export interface Sns extends LocalService {
  topicArn(name: string): string
  /** Waits for what is being delivered, and cuts all connections. Later calls do nothing. */
  stop(): Promise<void>
}

/** Starts SNS's wire protocol in this process, on loopback. */
export async function startSns({
  port = 0,
  dataDirectory,
  targets = {},
  account = '000000000000',
  refusalOf,
  now = Date.now,
  onProblem = message => process.emitWarning(message, { code: 'STEPWRIGHT_NOTIFICATION' }),
}: SnsOptions = {}): Promise<Sns> {
  const topics = openTopics(
    `arn:aws:sns:${localRegion}:${account}`,
    dataDirectory === undefined ? undefined : resolve(dataDirectory),
  )
  const deliver = createDelivery(targets)
  // FIFO: the notifications of a topic are delivered one after another.
  const lines = new Map<string, Promise<void>>()
  const underWay = createUnderWay()
  const onNotification = (topic: Topic, notification: Notification): void => {
    const subscriptions = topics.subscriptions().filter(({ topicArn }) => topicArn === topic.arn)
    const run = (): Promise<void> =>
      deliverNotification(topic, subscriptions, notification, {
        deliver,
        endpoint: service.endpoint,
        now,
        onProblem,
      })
    const work = topic.isFifo ? (lines.get(topic.arn) ?? Promise.resolve()).then(run, run) : run()
    if (topic.isFifo) lines.set(topic.arn, work)
    underWay.add(work)
  }
  const operations = createOperations(topics, createPublish(now, onNotification), account)
  const namespace = 'http://sns.amazonaws.com/doc/2010-03-31/'
  const handle = createQueryProtocol({ namespace, operations, parameters, refusalOf })
  const service = await startLocalService(handle, {
    port,
    beforeEnd: underWay.settled,
    afterEnd: underWay.settled,
  })
  return { ...service, topicArn: topics.arnOf }
}
