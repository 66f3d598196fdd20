const named: Readonly<Record<string, string>> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  PurgeQueueInProgress: 'AWS.SimpleQueueService.PurgeQueueInProgress',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
  UnsupportedOperation: 'AWS.SimpleQueueService.UnsupportedOperation',
}

/** What the error was called before SQS spoke JSON, which is how boto3 and the AWS CLI know it. */
export function queryErrorOf(code: string): string {
  return named[code] ?? code
}
