import type { SupportedParameters } from '@stepwright/local-server'

/** What each operation reads. */
export const parameters: SupportedParameters = {
  CreateQueue: ['QueueName', 'Attributes', 'tags'],
  GetQueueUrl: ['QueueName', 'QueueOwnerAWSAccountId'],
  ListQueues: ['QueueNamePrefix', 'MaxResults', 'NextToken'],
  DeleteQueue: ['QueueUrl'],
  GetQueueAttributes: ['QueueUrl', 'AttributeNames'],
  SetQueueAttributes: ['QueueUrl', 'Attributes'],
  PurgeQueue: ['QueueUrl'],
  TagQueue: ['QueueUrl', 'Tags'],
  UntagQueue: ['QueueUrl', 'TagKeys'],
  ListQueueTags: ['QueueUrl'],
  ListDeadLetterSourceQueues: ['QueueUrl', 'MaxResults', 'NextToken'],
  SendMessage: [
    ...['QueueUrl', 'MessageBody', 'DelaySeconds', 'MessageAttributes', 'MessageSystemAttributes'],
    ...['MessageGroupId', 'MessageDeduplicationId'],
  ],
  SendMessageBatch: ['QueueUrl', 'Entries'],
  ReceiveMessage: [
    ...['QueueUrl', 'AttributeNames', 'MessageSystemAttributeNames', 'MessageAttributeNames'],
    ...['MaxNumberOfMessages', 'VisibilityTimeout', 'WaitTimeSeconds', 'ReceiveRequestAttemptId'],
  ],
  DeleteMessage: ['QueueUrl', 'ReceiptHandle'],
  DeleteMessageBatch: ['QueueUrl', 'Entries'],
  ChangeMessageVisibility: ['QueueUrl', 'ReceiptHandle', 'VisibilityTimeout'],
  ChangeMessageVisibilityBatch: ['QueueUrl', 'Entries'],
  // Messages are moved at once, faster than any limit could ask for.
  StartMessageMoveTask: ['SourceArn', 'DestinationArn', 'MaxNumberOfMessagesPerSecond'],
  ListMessageMoveTasks: ['SourceArn', 'MaxResults'],
  CancelMessageMoveTask: ['TaskHandle'],
}
