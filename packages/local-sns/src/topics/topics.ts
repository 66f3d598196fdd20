import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '@stepwright/local-server'
import { parseFilter } from './parse-filter.ts'
import type { Subscription, Topic } from './topic.ts'

export interface Topics {
  list(): readonly Topic[]
  subscriptions(): readonly Subscription[]
  /** @throws ServiceError NotFound */
  topic(arn: string): Topic
  subscription(arn: string): Subscription
  arnOf(name: string): string
  putTopic(topic: Topic): void
  deleteTopic(arn: string): void
  subscribe(subscription: Omit<Subscription, 'arn' | 'filter'>): Subscription
  setSubscriptionAttribute(subscription: Subscription, name: string, value: string): void
  unsubscribe(arn: string): void
}

/** Topics and their subscriptions, kept in a file if a directory is given. */
export function openTopics(arnPrefix: string, directory: string | undefined): Topics {
  const topics = new Map<string, Topic>()
  const subscriptions = new Map<string, Subscription>()
  const file = directory === undefined ? undefined : join(directory, 'topics.json')
  if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 })
  for (const topic of read(file).topics) topics.set(topic.arn, topic)
  for (const subscription of read(file).subscriptions) subscriptions.set(subscription.arn, subscription)

  const save = (): void => {
    if (file === undefined) return
    const text = JSON.stringify(
      { topics: [...topics.values()], subscriptions: [...subscriptions.values()] },
      asEntries,
    )
    writeFileSync(`${file}.new`, text, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  const withFilter = (subscription: Omit<Subscription, 'filter'>): Subscription => ({
    ...subscription,
    filter: parseFilter(subscription.attributes),
  })

  return {
    list: () => [...topics.values()],
    subscriptions: () => [...subscriptions.values()],
    topic(arn) {
      const topic = topics.get(arn)
      if (topic) return topic
      checkArn(arn, 'TopicArn', 6)
      throw new ServiceError('NotFound', 'Topic does not exist', 404)
    },
    subscription(arn) {
      const subscription = subscriptions.get(arn)
      if (subscription) return subscription
      checkArn(arn, 'SubscriptionArn', 7)
      throw new ServiceError('NotFound', 'Subscription does not exist', 404)
    },
    arnOf: name => `${arnPrefix}:${name}`,
    putTopic(topic) {
      topics.set(topic.arn, topic)
      save()
    },
    deleteTopic(arn) {
      if (!topics.delete(arn)) checkArn(arn, 'TopicArn', 6)
      for (const each of [...subscriptions.values()]) {
        if (each.topicArn === arn) subscriptions.delete(each.arn)
      }
      save()
    },
    subscribe(given) {
      const same = [...subscriptions.values()].find(
        ({ topicArn, protocol, endpoint }) =>
          topicArn === given.topicArn && protocol === given.protocol && endpoint === given.endpoint,
      )
      if (same) {
        const isSame = [...given.attributes].every(([name, value]) => same.attributes.get(name) === value)
        if (isSame) return same
        throw new ServiceError(
          'InvalidParameter',
          'Invalid parameter: Attributes Reason: Subscription already exists with different attributes',
        )
      }
      const subscription = withFilter({ ...given, arn: `${given.topicArn}:${randomUUID()}` })
      subscriptions.set(subscription.arn, subscription)
      save()
      return subscription
    },
    setSubscriptionAttribute(subscription, name, value) {
      const attributes = new Map(subscription.attributes).set(name, value)
      subscriptions.set(subscription.arn, withFilter({ ...subscription, attributes }))
      save()
    },
    unsubscribe(arn) {
      if (!subscriptions.delete(arn)) checkArn(arn, 'SubscriptionArn', 7)
      save()
    },
  }
}

/** What is no ARN of SNS is a wrong parameter; what is one is not found. */
function checkArn(arn: string, parameter: string, elements: number): void {
  const given = arn.split(':')
  if (given.length < 6) {
    throw new ServiceError(
      'InvalidParameter',
      `Invalid parameter: ${parameter} Reason: An ARN must have at least 6 elements, not ${given.length}`,
    )
  }
  if (given[0] === 'arn' && given[2] === 'sns' && given.length === elements) return
  throw new ServiceError('InvalidParameter', `Invalid parameter: ${parameter}`)
}

interface Saved {
  readonly topics: readonly Topic[]
  readonly subscriptions: readonly Subscription[]
}

function read(file: string | undefined): Saved {
  if (file === undefined) return { topics: [], subscriptions: [] }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return { topics: [], subscriptions: [] }
  }
  return JSON.parse(text, (key, value) => (key === 'attributes' || key === 'tags' ? new Map(value) : value))
}

function asEntries(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value
}
