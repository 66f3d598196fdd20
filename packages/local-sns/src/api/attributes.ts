import { ServiceError } from '@stepwright/local-server'
import type { Topic } from '../topics/topic.ts'
import { invalid } from './input.ts'

/** The attributes of topics that have an effect here, and whether a value is one of theirs. */
const topicAttributes: Readonly<Record<string, (value: string) => boolean>> = {
  DisplayName: value => value.length <= 100,
  Policy: isJsonObject,
  FifoTopic: isBoolean,
  ContentBasedDeduplication: isBoolean,
  FifoThroughputScope: value => value === 'Topic' || value === 'MessageGroup',
}
const fifoAttributes = ['ContentBasedDeduplication', 'FifoThroughputScope']

/** What AWS knows besides, and would do something about that does not happen here. */
const unsupportedTopicAttributes =
  /^(KmsMasterKeyId|DeliveryPolicy|TracingConfig|ArchivePolicy|SignatureVersion|(HTTP|Firehose|Lambda|Application|SQS)(Success|Failure)Feedback(RoleArn|SampleRate))$/

const subscriptionAttributes = ['FilterPolicy', 'FilterPolicyScope', 'RawMessageDelivery', 'RedrivePolicy']
const unsupportedSubscriptionAttributes = ['DeliveryPolicy', 'SubscriptionRoleArn', 'ReplayPolicy']
const attributeChoices: Readonly<Record<string, readonly string[]>> = {
  RawMessageDelivery: ['true', 'false', ''],
  FilterPolicyScope: ['MessageAttributes', 'MessageBody', ''],
}

/** @param parameter what of the request has the attribute */
export function checkTopicAttribute(name: string, value: string, isFifo: boolean, parameter: string): void {
  if (unsupportedTopicAttributes.test(name)) throw notSupported(name)
  const isValid = Object.hasOwn(topicAttributes, name) ? topicAttributes[name] : undefined
  if (isValid === undefined) throw invalid(`${parameter} Reason: Unknown attribute ${name}`)
  if (!isFifo && fifoAttributes.includes(name))
    throw invalid(`${parameter} Reason: ${name} can only be set on FIFO topics`)
  if (!isValid(value)) throw invalid(`${parameter} Reason: ${value} is not a value of ${name}`)
}

export function checkSubscriptionAttribute(name: string, value: string): void {
  if (unsupportedSubscriptionAttributes.includes(name)) throw notSupported(name)
  if (!subscriptionAttributes.includes(name)) throw invalid('AttributeName')
  if (attributeChoices[name]?.includes(value) === false)
    throw invalid(`${name} Reason: ${value} is not valid`)
  if (name === 'RedrivePolicy' && !isRedrivePolicy(value)) {
    throw invalid('RedrivePolicy Reason: must be JSON with a deadLetterTargetArn')
  }
}

/** What GetTopicAttributes answers, also for what was never set. */
export function shownTopicAttributes(
  topic: Topic,
  account: string,
  confirmed: number,
): ReadonlyMap<string, string> {
  const defaults = new Map([
    ['DisplayName', ''],
    ['Policy', JSON.stringify(defaultPolicy(topic.arn, account))],
    ['EffectiveDeliveryPolicy', JSON.stringify(effectiveDeliveryPolicy)],
  ])
  const fifoDefaults = new Map([
    ['ContentBasedDeduplication', 'false'],
    ['FifoThroughputScope', 'Topic'],
  ])
  const computed = new Map([
    ['TopicArn', topic.arn],
    ['Owner', account],
    ['SubscriptionsConfirmed', String(confirmed)],
    ['SubscriptionsPending', '0'],
    ['SubscriptionsDeleted', '0'],
  ])
  return new Map([...defaults, ...(topic.isFifo ? fifoDefaults : []), ...topic.attributes, ...computed])
}

function isBoolean(value: string): boolean {
  return value === 'true' || value === 'false'
}

/** Everything for the account that owns the topic. */
function defaultPolicy(arn: string, account: string): object {
  const actions = [
    ...['GetTopicAttributes', 'SetTopicAttributes', 'AddPermission', 'RemovePermission', 'DeleteTopic'],
    ...['Subscribe', 'ListSubscriptionsByTopic', 'Publish'],
  ]
  return {
    Version: '2008-10-17',
    Id: '__default_policy_ID',
    Statement: [
      {
        Sid: '__default_statement_ID',
        Effect: 'Allow',
        Principal: { AWS: '*' },
        Action: actions.map(action => `SNS:${action}`),
        Resource: arn,
        Condition: { StringEquals: { 'AWS:SourceOwner': account } },
      },
    ],
  }
}

const effectiveDeliveryPolicy = {
  http: {
    defaultHealthyRetryPolicy: {
      minDelayTarget: 20,
      maxDelayTarget: 20,
      numRetries: 3,
      numMaxDelayRetries: 0,
      numNoDelayRetries: 0,
      numMinDelayRetries: 0,
      backoffFunction: 'linear',
    },
    disableSubscriptionOverrides: false,
    defaultRequestPolicy: { headerContentType: 'text/plain; charset=UTF-8' },
  },
}

/** An empty one takes the policy away. */
function isRedrivePolicy(text: string): boolean {
  if (text === '') return true
  return isJsonObject(text) && typeof JSON.parse(text).deadLetterTargetArn === 'string'
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function notSupported(name: string): ServiceError {
  return new ServiceError(
    'InvalidParameter',
    `Invalid parameter: The attribute ${name} is not supported on this machine`,
  )
}
