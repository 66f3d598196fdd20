import { ServiceError, type ServiceInput, type ServiceOperation } from '@stepwright/local-server'
import type { Subscription, Topic } from '../topics/topic.ts'
import type { Topics } from '../topics/topics.ts'
import { checkSubscriptionAttribute, checkTopicAttribute, shownTopicAttributes } from './attributes.ts'
import { invalid, listOf, optionalText, textOf, textsOf } from './input.ts'
import { type Publish, publishBatch } from './publish.ts'

const topicName = /^[\w-]{1,256}$/
const pageSize = 100
export function createOperations(
  topics: Topics,
  publish: Publish,
  account: string,
): Record<string, ServiceOperation> {
  const topicOf = (input: ServiceInput, name = 'TopicArn'): Topic => topics.topic(textOf(input, name))
  const subscriptionOf = (input: ServiceInput): Subscription =>
    topics.subscription(textOf(input, 'SubscriptionArn'))
  const shown = ({ arn, topicArn, protocol, endpoint }: Subscription): object => ({
    SubscriptionArn: arn,
    Owner: account,
    Protocol: protocol,
    Endpoint: endpoint,
    TopicArn: topicArn,
  })

  return {
    CreateTopic: input => {
      const topic = toTopic(topics, input)
      const existing = topics.list().find(({ arn }) => arn === topic.arn)
      if (existing === undefined) topics.putTopic(topic)
      else if ([...topic.attributes].some(([name, value]) => existing.attributes.get(name) !== value)) {
        throw invalid('Attributes Reason: Topic already exists with different attributes')
      }
      return { TopicArn: topic.arn }
    },
    DeleteTopic: input => {
      topics.deleteTopic(textOf(input, 'TopicArn'))
      return {}
    },
    ListTopics: input =>
      page(
        input,
        'Topics',
        topics.list().map(({ arn }) => ({ TopicArn: arn })),
      ),
    GetTopicAttributes: input => {
      const topic = topicOf(input)
      const confirmed = topics.subscriptions().filter(({ topicArn }) => topicArn === topic.arn).length
      return { Attributes: shownTopicAttributes(topic, account, confirmed) }
    },
    SetTopicAttributes: input => {
      const topic = topicOf(input)
      const name = textOf(input, 'AttributeName')
      const value = optionalText(input, 'AttributeValue') ?? ''
      checkTopicAttribute(name, value, topic.isFifo, 'AttributeName')
      if (name === 'FifoTopic') throw invalid('AttributeName')
      const attributes = new Map(topic.attributes).set(name, value)
      topics.putTopic({ ...topic, attributes })
      return {}
    },
    Subscribe: input => {
      const topic = topicOf(input)
      const protocol = textOf(input, 'Protocol')
      const endpoint = textOf(input, 'Endpoint')
      checkEndpoint(topic, protocol, endpoint)
      const attributes = textsOf(input, 'Attributes')
      for (const [name, value] of attributes) checkSubscriptionAttribute(name, value)
      const { arn } = topics.subscribe({ topicArn: topic.arn, protocol, endpoint, attributes })
      return { SubscriptionArn: arn }
    },
    Unsubscribe: input => {
      topics.unsubscribe(textOf(input, 'SubscriptionArn'))
      return {}
    },
    ListSubscriptions: input => page(input, 'Subscriptions', topics.subscriptions().map(shown)),
    ListSubscriptionsByTopic: input => {
      const { arn } = topicOf(input)
      const own = topics.subscriptions().filter(({ topicArn }) => topicArn === arn)
      return page(input, 'Subscriptions', own.map(shown))
    },
    GetSubscriptionAttributes: input => {
      const subscription = subscriptionOf(input)
      const computed = new Map([
        ...Object.entries(shown(subscription)),
        ['PendingConfirmation', 'false'],
        ['ConfirmationWasAuthenticated', 'true'],
      ] as [string, string][])
      return {
        Attributes: new Map([['RawMessageDelivery', 'false'], ...subscription.attributes, ...computed]),
      }
    },
    SetSubscriptionAttributes: input => {
      const name = textOf(input, 'AttributeName')
      const value = optionalText(input, 'AttributeValue') ?? ''
      checkSubscriptionAttribute(name, value)
      topics.setSubscriptionAttribute(subscriptionOf(input), name, value)
      return {}
    },
    Publish: input => {
      const target = optionalText(input, 'TopicArn') ?? optionalText(input, 'TargetArn')
      if (target === undefined) throw invalid('TopicArn or TargetArn Reason: no value for required parameter')
      return publish(topics.topic(target), input)
    },
    PublishBatch: input => publishBatch(publish, topicOf(input), input),
    TagResource: input => {
      const topic = topicOf(input, 'ResourceArn')
      topics.putTopic({ ...topic, tags: new Map([...topic.tags, ...tagsOf(input)]) })
      return {}
    },
    UntagResource: input => {
      const topic = topicOf(input, 'ResourceArn')
      const gone: readonly unknown[] = listOf(input, 'TagKeys')
      topics.putTopic({ ...topic, tags: new Map([...topic.tags].filter(([key]) => !gone.includes(key))) })
      return {}
    },
    ListTagsForResource: input => {
      const { tags } = topicOf(input, 'ResourceArn')
      return { Tags: [...tags].map(([Key, Value]) => ({ Key, Value })) }
    },
  }
}

function toTopic(topics: Topics, input: ServiceInput): Topic {
  const name = textOf(input, 'Name')
  const attributes = textsOf(input, 'Attributes')
  const isFifo = attributes.get('FifoTopic') === 'true'
  const isNamed = isFifo ? name.endsWith('.fifo') && topicName.test(name.slice(0, -5)) : topicName.test(name)
  if (!isNamed) {
    throw invalid(
      isFifo
        ? 'Fifo Topic names must end with .fifo and must be made up of only uppercase and lowercase ASCII letters, numbers, underscores, and hyphens, and must be between 1 and 256 characters long.'
        : 'Topic Name',
    )
  }
  for (const [attribute, value] of attributes) checkTopicAttribute(attribute, value, isFifo, 'Attributes')
  return { arn: topics.arnOf(name), name, isFifo, attributes, tags: tagsOf(input) }
}

function tagsOf(input: ServiceInput): ReadonlyMap<string, string> {
  return new Map(listOf(input, 'Tags').map(({ Key, Value }) => [String(Key), String(Value ?? '')]))
}

function checkEndpoint(topic: Topic, protocol: string, endpoint: string): void {
  if (protocol !== 'sqs' && protocol !== 'lambda') {
    throw new ServiceError(
      'InvalidParameter',
      `Invalid parameter: Protocol Reason: on this machine only sqs and lambda can be subscribed, not ${protocol}`,
    )
  }
  if (!endpoint.startsWith(`arn:aws:${protocol}:`)) {
    throw invalid(protocol === 'sqs' ? 'SQS endpoint ARN' : 'Lambda endpoint ARN')
  }
  if (!topic.isFifo && endpoint.endsWith('.fifo'))
    throw invalid(
      'Invalid parameter: Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics',
    )
  if (topic.isFifo && protocol !== 'sqs')
    throw invalid('Invalid parameter: Endpoint Reason: Please use FIFO SQS queue')
}

function page(input: ServiceInput, name: string, items: readonly object[]): object {
  const start = Number(optionalText(input, 'NextToken') ?? 0)
  if (!Number.isSafeInteger(start) || start < 0) throw invalid('NextToken')
  const end = start + pageSize
  return { [name]: items.slice(start, end), ...(end < items.length && { NextToken: String(end) }) }
}
