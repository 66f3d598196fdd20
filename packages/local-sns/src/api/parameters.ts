import type { SupportedParameters } from '@stepwright/local-server'

const message = [
  ...['Message', 'MessageStructure', 'MessageAttributes', 'MessageGroupId', 'MessageDeduplicationId'],
  'Subject',
]

/** What each operation reads. */
export const parameters: SupportedParameters = Object.fromEntries(
  Object.entries({
    CreateTopic: ['Name', 'Attributes', 'Tags'],
    DeleteTopic: ['TopicArn'],
    ListTopics: ['NextToken'],
    GetTopicAttributes: ['TopicArn'],
    SetTopicAttributes: ['TopicArn', 'AttributeName', 'AttributeValue'],
    // Every subscription is confirmed at once, so that its ARN is returned in any case.
    Subscribe: ['TopicArn', 'Protocol', 'Endpoint', 'Attributes', 'ReturnSubscriptionArn'],
    Unsubscribe: ['SubscriptionArn'],
    ListSubscriptions: ['NextToken'],
    ListSubscriptionsByTopic: ['TopicArn', 'NextToken'],
    GetSubscriptionAttributes: ['SubscriptionArn'],
    SetSubscriptionAttributes: ['SubscriptionArn', 'AttributeName', 'AttributeValue'],
    Publish: ['TopicArn', 'TargetArn', ...message],
    PublishBatch: ['TopicArn', 'PublishBatchRequestEntries'],
    TagResource: ['ResourceArn', 'Tags'],
    UntagResource: ['ResourceArn', 'TagKeys'],
    ListTagsForResource: ['ResourceArn'],
  }).map(([operation, names]) => [operation, [...names, 'Action', 'Version']]),
)
