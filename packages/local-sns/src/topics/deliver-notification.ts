import type { Deliver, MessageOptions } from '@stepwright/local-server'
import { wants } from './filter.ts'
import type { Notification, Subscription, Topic } from './topic.ts'

export interface DeliverySurroundings {
  readonly deliver: Deliver
  readonly endpoint: string
  readonly now: () => number
  readonly onProblem: (message: string) => void
}

/** SNS goes on for days; here something that fails three times at once is given up. */
const maxTries = 3

/** Hands a notification to every subscription that wants it. */
export async function deliverNotification(
  topic: Topic,
  subscriptions: readonly Subscription[],
  notification: Notification,
  surroundings: DeliverySurroundings,
): Promise<void> {
  const timestamp = new Date(surroundings.now()).toISOString()
  await Promise.all(
    subscriptions.map(async subscription => {
      const text = notification.texts[subscription.protocol] ?? notification.texts['default'] ?? ''
      if (!isWanted(subscription, notification, text, surroundings)) return
      const body = bodyFor(topic, subscription, notification, { text, timestamp, ...surroundings })
      await send(subscription, body, optionsFor(topic, subscription, notification), surroundings)
    }),
  )
}

/** A policy that was stored by an earlier version may be one that SNS refuses. */
function isWanted(
  subscription: Subscription,
  notification: Notification,
  text: string,
  { onProblem }: DeliverySurroundings,
): boolean {
  try {
    return wants(subscription, notification, text)
  } catch (error) {
    onProblem(
      `the subscription ${subscription.arn} gets nothing, because of its FilterPolicy: ${(error as Error).message}`,
    )
    return false
  }
}

async function send(
  { endpoint, attributes, arn }: Subscription,
  body: string,
  options: MessageOptions,
  { deliver, onProblem }: DeliverySurroundings,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await deliver(endpoint, body, options)
      return
    } catch (error) {
      if (tried < maxTries) continue
      const { deadLetterTargetArn } = JSON.parse(attributes.get('RedrivePolicy') || '{}')
      try {
        if (deadLetterTargetArn === undefined) throw error
        await deliver(deadLetterTargetArn, body, options)
      } catch (last) {
        onProblem(`the subscription ${arn} could not deliver: ${(last as Error).message}`)
      }
      return
    }
  }
}

interface Told {
  readonly text: string
  readonly timestamp: string
  readonly endpoint: string
}

function bodyFor(topic: Topic, subscription: Subscription, notification: Notification, told: Told): string {
  const { text, timestamp, endpoint } = told
  const { messageId, subject, attributes, sequenceNumber } = notification
  const unsubscribeUrl = `${endpoint}/?Action=Unsubscribe&SubscriptionArn=${subscription.arn}`
  const common = {
    Type: 'Notification',
    MessageId: messageId,
    ...(sequenceNumber !== undefined && { SequenceNumber: sequenceNumber }),
    TopicArn: topic.arn,
    ...(subject !== undefined && { Subject: subject }),
    Message: text,
    Timestamp: timestamp,
    SignatureVersion: '1',
    Signature: 'local',
  }
  const shownAttributes = shown(attributes)
  if (subscription.protocol === 'lambda') {
    return JSON.stringify({
      Records: [
        {
          EventSource: 'aws:sns',
          EventVersion: '1.0',
          EventSubscriptionArn: subscription.arn,
          Sns: {
            ...common,
            Subject: subject ?? null,
            SigningCertUrl: `${endpoint}/certificate.pem`,
            UnsubscribeUrl: unsubscribeUrl,
            MessageAttributes: shownAttributes,
          },
        },
      ],
    })
  }
  if (isRaw(subscription)) return text
  return JSON.stringify({
    ...common,
    SigningCertURL: `${endpoint}/certificate.pem`,
    UnsubscribeURL: unsubscribeUrl,
    ...(Object.keys(attributes).length > 0 && { MessageAttributes: shownAttributes }),
  })
}

function shown(attributes: Notification['attributes']): object {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      { Type: DataType, Value: StringValue ?? BinaryValue },
    ]),
  )
}

/** What a queue needs besides: the group and the id of FIFO, and attributes of what is delivered raw. */
function optionsFor(topic: Topic, subscription: Subscription, notification: Notification): MessageOptions {
  const { groupId, deduplicationId, attributes } = notification
  const isFifoQueue = subscription.endpoint.endsWith('.fifo')
  return {
    ...(groupId !== undefined && { messageGroupId: groupId }),
    ...(topic.isFifo &&
      isFifoQueue &&
      deduplicationId !== undefined && { messageDeduplicationId: deduplicationId }),
    ...(isRaw(subscription) && Object.keys(attributes).length > 0 && { messageAttributes: attributes }),
  }
}

function isRaw({ attributes }: Subscription): boolean {
  return attributes.get('RawMessageDelivery') === 'true'
}
