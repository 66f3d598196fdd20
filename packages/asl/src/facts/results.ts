/** What a field of a result holds: always there, or only sometimes. */
type Presence = 'always' | 'sometimes'

/** The fields that an optimized integration answers a plain request with (the services' API references). */
export const optimizedResults: Readonly<Record<string, Readonly<Record<string, Presence>>>> = {
  'batch:submitJob': { JobArn: 'sometimes', JobId: 'always', JobName: 'always' },
  'dynamodb:deleteItem': {
    Attributes: 'sometimes',
    ConsumedCapacity: 'sometimes',
    ItemCollectionMetrics: 'sometimes',
  },
  'dynamodb:getItem': { Item: 'sometimes', ConsumedCapacity: 'sometimes' },
  'dynamodb:putItem': {
    Attributes: 'sometimes',
    ConsumedCapacity: 'sometimes',
    ItemCollectionMetrics: 'sometimes',
  },
  'dynamodb:updateItem': {
    Attributes: 'sometimes',
    ConsumedCapacity: 'sometimes',
    ItemCollectionMetrics: 'sometimes',
  },
  'ecs:runTask': { Failures: 'always', Tasks: 'always' },
  'events:putEvents': { Entries: 'always', FailedEntryCount: 'always' },
  'glue:startJobRun': { JobRunId: 'always' },
  'sns:publish': { MessageId: 'always', SequenceNumber: 'sometimes' },
  'sqs:sendMessage': {
    MD5OfMessageBody: 'always',
    MD5OfMessageAttributes: 'sometimes',
    MD5OfMessageSystemAttributes: 'sometimes',
    MessageId: 'always',
    SequenceNumber: 'sometimes',
  },
  'states:startExecution': { ExecutionArn: 'always', StartDate: 'always' },
}
