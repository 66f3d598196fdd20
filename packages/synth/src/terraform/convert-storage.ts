import { block, type Convert, kept } from './convert.ts'

type Rule = Readonly<Record<string, unknown>>

export const storageConverters: Readonly<Record<string, Convert>> = {
  'AWS::S3::Bucket': (id, given, { value, tags }, resource) => {
    const bucket = `\${aws_s3_bucket.${id}.id}`
    const { PublicAccessBlockConfiguration: open, LifecycleConfiguration, CorsConfiguration } = given
    return {
      aws_s3_bucket: { bucket: value(given.BucketName), tags, ...kept(resource) },
      aws_s3_bucket_server_side_encryption_configuration: {
        bucket,
        rule: [{ apply_server_side_encryption_by_default: { sse_algorithm: 'AES256' } }],
      },
      aws_s3_bucket_public_access_block: {
        bucket,
        block_public_acls: open.BlockPublicAcls,
        block_public_policy: open.BlockPublicPolicy,
        ignore_public_acls: open.IgnorePublicAcls,
        restrict_public_buckets: open.RestrictPublicBuckets,
      },
      aws_s3_bucket_ownership_controls: { bucket, rule: { object_ownership: 'BucketOwnerEnforced' } },
      aws_s3_bucket_lifecycle_configuration: {
        bucket,
        rule: LifecycleConfiguration.Rules.map((rule: Rule) => toLifecycleRule(rule)),
      },
      ...(CorsConfiguration && {
        aws_s3_bucket_cors_configuration: {
          bucket,
          cors_rule: CorsConfiguration.CorsRules.map((rule: Rule) => ({
            allowed_origins: rule['AllowedOrigins'],
            allowed_methods: rule['AllowedMethods'],
            allowed_headers: rule['AllowedHeaders'],
            expose_headers: rule['ExposedHeaders'],
            max_age_seconds: rule['MaxAge'],
          })),
        },
      }),
      ...(given.NotificationConfiguration && {
        aws_s3_bucket_notification: { bucket, eventbridge: true },
      }),
    }
  },
  'AWS::S3::BucketPolicy': (_id, given, { value, json }) => ({
    aws_s3_bucket_policy: { bucket: value(given.Bucket), policy: json(given.PolicyDocument) },
  }),
  'AWS::DynamoDB::Table': (_id, given, { tags }, resource) => ({
    aws_dynamodb_table: block({
      name: given.TableName,
      billing_mode: given.BillingMode,
      ...toKeys(given.KeySchema),
      attribute: given.AttributeDefinitions.map((each: Rule) => ({
        name: each['AttributeName'],
        type: each['AttributeType'],
      })),
      global_secondary_index: given.GlobalSecondaryIndexes?.map((index: Rule) => {
        const projection = index['Projection'] as Rule
        return block({
          name: index['IndexName'],
          ...toKeys(index['KeySchema'] as readonly Rule[]),
          projection_type: projection['ProjectionType'],
          non_key_attributes: projection['NonKeyAttributes'],
        })
      }),
      server_side_encryption: { enabled: true },
      point_in_time_recovery: { enabled: true },
      deletion_protection_enabled: given.DeletionProtectionEnabled,
      ttl: given.TimeToLiveSpecification && {
        attribute_name: given.TimeToLiveSpecification.AttributeName,
        enabled: true,
      },
      tags,
      ...kept(resource),
    }),
  }),
  'AWS::SQS::Queue': (_id, given, { json, tags }) => ({
    aws_sqs_queue: block({
      name: given.QueueName,
      fifo_queue: given.FifoQueue,
      visibility_timeout_seconds: given.VisibilityTimeout,
      message_retention_seconds: given.MessageRetentionPeriod,
      sqs_managed_sse_enabled: given.SqsManagedSseEnabled,
      redrive_policy: given.RedrivePolicy && json(given.RedrivePolicy),
      tags,
    }),
  }),
  'AWS::SQS::QueuePolicy': (_id, given, { value, json }) => ({
    aws_sqs_queue_policy: { queue_url: value(given.Queues[0]), policy: json(given.PolicyDocument) },
  }),
}

function toKeys(schema: readonly Rule[]): object {
  const nameOf = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.['AttributeName']
  return block({ hash_key: nameOf('HASH'), range_key: nameOf('RANGE') })
}

function toLifecycleRule(rule: Rule): object {
  const abort = rule['AbortIncompleteMultipartUpload'] as { readonly DaysAfterInitiation: number } | undefined
  return block({
    id: rule['Id'],
    status: rule['Status'],
    filter: { prefix: rule['Prefix'] ?? '' },
    expiration: rule['ExpirationInDays'] === undefined ? undefined : { days: rule['ExpirationInDays'] },
    abort_incomplete_multipart_upload: abort && { days_after_initiation: abort.DaysAfterInitiation },
  })
}
