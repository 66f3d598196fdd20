/** What a field of a response may hold. */
export type Field =
  | 'string'
  | 'number'
  | 'boolean'
  | 'any'
  | { readonly list: Field }
  | { readonly object: Readonly<Record<string, Field>> }
  | { readonly oneOf: readonly string[] }
  | { readonly minLength: number }
  | { readonly atLeast: number; readonly atMost: number }

const capacity: Field = {
  object: {
    TableName: 'string',
    CapacityUnits: 'number',
    ReadCapacityUnits: 'number',
    WriteCapacityUnits: 'number',
    Table: { object: { CapacityUnits: 'number', ReadCapacityUnits: 'number', WriteCapacityUnits: 'number' } },
  },
}
const item: Field = { object: {} }
const collectionMetrics: Field = {
  object: { ItemCollectionKey: item, SizeEstimateRangeGB: { list: 'number' } },
}
const written: Readonly<Record<string, Field>> = {
  Attributes: item,
  ConsumedCapacity: capacity,
  ItemCollectionMetrics: collectionMetrics,
}
const executionStatus: Field = {
  oneOf: ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED', 'PENDING_REDRIVE'],
}
const described: Readonly<Record<string, Field>> = {
  ExecutionArn: { minLength: 1 },
  StateMachineArn: { minLength: 1 },
  Name: 'string',
  Status: executionStatus,
  StartDate: 'string',
  StopDate: 'string',
  RedriveCount: 'number',
}
const storageClass: Field = {
  oneOf: [
    'STANDARD',
    'REDUCED_REDUNDANCY',
    'STANDARD_IA',
    'ONEZONE_IA',
    'INTELLIGENT_TIERING',
    'GLACIER',
    'DEEP_ARCHIVE',
    'OUTPOSTS',
    'GLACIER_IR',
    'SNOW',
    'EXPRESS_ONEZONE',
    'FSX_OPENZFS',
  ],
}

/** The answers of the integrations that workflows use most; a service that is not here is not checked. */
export const responses: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  'lambda:invoke': {
    StatusCode: 'number',
    FunctionError: 'string',
    LogResult: 'string',
    ExecutedVersion: { minLength: 1 },
  },
  'lambda:getFunction': {
    Configuration: {
      object: {
        FunctionName: 'string',
        FunctionArn: 'string',
        Runtime: 'string',
        Role: 'string',
        Handler: 'string',
        CodeSize: 'number',
        Description: 'string',
        Timeout: { atLeast: 1, atMost: Number.POSITIVE_INFINITY },
        MemorySize: { atLeast: 128, atMost: 10_240 },
        LastModified: 'string',
        Version: 'string',
        Layers: { list: { object: { Arn: 'string', CodeSize: 'number' } } },
        State: { oneOf: ['Pending', 'Active', 'Inactive', 'Failed'] },
        PackageType: { oneOf: ['Zip', 'Image'] },
      },
    },
    Code: { object: { RepositoryType: 'string', Location: 'string', ImageUri: 'string' } },
    Tags: { object: {} },
  },
  'dynamodb:getItem': { Item: item, ConsumedCapacity: capacity },
  'dynamodb:putItem': written,
  'dynamodb:updateItem': written,
  'dynamodb:deleteItem': written,
  'dynamodb:query': {
    Items: { list: item },
    Count: 'number',
    ScannedCount: 'number',
    ConsumedCapacity: capacity,
  },
  'dynamodb:scan': {
    Items: { list: item },
    Count: 'number',
    ScannedCount: 'number',
    ConsumedCapacity: capacity,
  },
  's3:getObject': {
    AcceptRanges: 'string',
    Body: 'any',
    ContentLength: 'number',
    ContentType: 'string',
    ETag: 'string',
    LastModified: 'string',
    PartsCount: 'number',
    TagCount: 'number',
    StorageClass: storageClass,
    ServerSideEncryption: { oneOf: ['AES256', 'aws:fsx', 'aws:kms', 'aws:kms:dsse'] },
    VersionId: 'string',
    DeleteMarker: 'boolean',
  },
  's3:putObject': { ETag: 'string', VersionId: 'string', Size: 'number', Expiration: 'string' },
  's3:listObjectsV2': {
    IsTruncated: 'boolean',
    Contents: {
      list: { object: { Key: { minLength: 1 }, Size: 'number', ETag: 'string', LastModified: 'string' } },
    },
    KeyCount: 'number',
    MaxKeys: 'number',
    Name: 'string',
    Prefix: 'string',
    NextContinuationToken: 'string',
  },
  's3:listBuckets': { Buckets: { list: { object: { Name: 'string', CreationDate: 'string' } } } },
  'events:putEvents': {
    Entries: { list: { object: { EventId: 'string', ErrorCode: 'string', ErrorMessage: 'string' } } },
    FailedEntryCount: 'number',
  },
  'sns:publish': { MessageId: 'string', SequenceNumber: 'string' },
  'sqs:sendMessage': {
    MessageId: 'string',
    SequenceNumber: 'string',
    MD5OfMessageBody: 'string',
    MD5OfMessageAttributes: 'string',
    MD5OfMessageSystemAttributes: 'string',
  },
  'states:startExecution': { ExecutionArn: { minLength: 1 }, StartDate: 'string' },
  'states:startSyncExecution': {
    ExecutionArn: { minLength: 1 },
    Name: 'string',
    StartDate: 'string',
    StopDate: 'string',
    Status: { oneOf: ['SUCCEEDED', 'FAILED', 'TIMED_OUT'] },
    Output: 'string',
    Error: 'string',
    Cause: 'string',
  },
  'states:describeExecution': { ...described, Input: 'string', Output: 'string' },
  // Input and output are text or, with .sync:2, values.
  'states:startExecution.sync': described,
  'kms:encrypt': {
    CiphertextBlob: { minLength: 1 },
    KeyId: { minLength: 1 },
    EncryptionAlgorithm: { oneOf: ['SYMMETRIC_DEFAULT', 'RSAES_OAEP_SHA_1', 'RSAES_OAEP_SHA_256', 'SM2PKE'] },
  },
  'kms:decrypt': { Plaintext: { minLength: 1 }, KeyId: { minLength: 1 } },
  'secretsmanager:getSecretValue': {
    ARN: 'string',
    Name: { minLength: 1 },
    VersionId: 'string',
    SecretString: 'string',
    SecretBinary: 'string',
    VersionStages: { list: 'string' },
    CreatedDate: 'string',
  },
  'ssm:getParameter': {
    Parameter: {
      object: {
        Name: { minLength: 1 },
        Type: { oneOf: ['String', 'StringList', 'SecureString'] },
        Value: 'string',
        Version: 'number',
        ARN: 'string',
      },
    },
  },
  'glue:startJobRun': { JobRunId: 'string' },
  'athena:startQueryExecution': { QueryExecutionId: 'string' },
}

const ofDescribed = ['ExecutionArn', 'StateMachineArn', 'Status', 'StartDate']

/** What such an answer always has. */
export const requiredFields: Readonly<Record<string, readonly string[]>> = {
  'states:startExecution': ['ExecutionArn', 'StartDate'],
  'states:startExecution.sync': ofDescribed,
  'states:startSyncExecution': ['ExecutionArn', 'StartDate', 'StopDate', 'Status'],
  'states:describeExecution': ofDescribed,
}
