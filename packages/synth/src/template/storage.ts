import { type Bucket, hasStream, type Queue, streamDefaults, type Table } from '@stepwright/app'
import type { Deployment } from '../deployment.ts'
import { mergeResources } from './merge-resources.ts'
import {
  getAtt,
  logicalId,
  ref,
  sub,
  type TemplateResource,
  type TemplateResources,
  toTags,
} from './template.ts'

/** Buckets, tables and queues. */
export function storageResources(deployment: Deployment): TemplateResources {
  const { buckets = {}, tables = {}, queues = {} } = deployment.app.resources ?? {}
  return mergeResources(
    ...Object.entries<Bucket>(buckets).map(([name, bucket]) => bucketResources(deployment, name, bucket)),
    ...Object.entries<Table>(tables).map(([name, table]) => ({
      [tableId(name)]: tableResource(deployment, name, table),
    })),
    ...Object.entries<Queue>(queues).map(([name, queue]) => queueResources(deployment, name, queue)),
  )
}

export function bucketId(name: string): string {
  return logicalId(name, 'Bucket')
}

export function tableId(name: string): string {
  return logicalId(name, 'Table')
}

/** Whether tables and the database refuse to be deleted; a parameter, since it would also stop the rollback of a creation. */
export function protection({ keepData }: Deployment): { readonly Ref: string } | false {
  return keepData && ref('ProtectData')
}

/** A failed creation is removed, or its names would be taken when it is tried again. */
function kept({ keepData }: Deployment): Pick<TemplateResource, 'DeletionPolicy' | 'UpdateReplacePolicy'> {
  return keepData
    ? { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' }
    : { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' }
}

function bucketResources(
  deployment: Deployment,
  name: string,
  { expiry = [], corsOrigins = [] }: Bucket,
): TemplateResources {
  const id = bucketId(name)
  const sendsEvents = Object.values(deployment.app.triggers ?? {}).some(
    trigger => 'objectCreated' in trigger && trigger.objectCreated.bucket === name,
  )
  return {
    [id]: {
      Type: 'AWS::S3::Bucket',
      ...kept(deployment),
      Properties: {
        BucketName: sub(deployment.names.buckets[name] as string),
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        LifecycleConfiguration: {
          Rules: [
            ...expiry.map(({ prefix, days }, index) => ({
              Id: `expire-${index + 1}-${prefix.replaceAll(/[^A-Za-z0-9]/g, '') || 'all'}`,
              Status: 'Enabled',
              Prefix: prefix,
              ExpirationInDays: days,
            })),
            {
              Id: 'abort-uploads',
              Status: 'Enabled',
              AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
            },
          ],
        },
        ...(corsOrigins.length > 0 && {
          CorsConfiguration: {
            CorsRules: [
              {
                AllowedOrigins: corsOrigins,
                AllowedMethods: ['GET', 'PUT', 'POST'],
                AllowedHeaders: ['*'],
                ExposedHeaders: ['ETag'],
                MaxAge: 3600,
              },
            ],
          },
        }),
        ...(sendsEvents && {
          NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
        }),
        Tags: toTags(deployment.tags),
      },
    },
    [`${id}Policy`]: {
      Type: 'AWS::S3::BucketPolicy',
      // A bucket that stays, stays behind TLS.
      ...kept(deployment),
      Properties: {
        Bucket: ref(id),
        PolicyDocument: onlyTls('s3:*', [getAtt(id, 'Arn'), { 'Fn::Sub': `\${${id}.Arn}/*` }]),
      },
    },
  }
}

function onlyTls(action: string, resources: readonly unknown[]): object {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'OnlyTls',
        Effect: 'Deny',
        Principal: '*',
        Action: action,
        Resource: resources,
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ],
  }
}

function tableResource(deployment: Deployment, name: string, table: Table): TemplateResource {
  const { TimeToLiveAttribute, TableName: _, BillingMode = 'PAY_PER_REQUEST', ...rest } = table
  return {
    Type: 'AWS::DynamoDB::Table',
    ...kept(deployment),
    Properties: {
      ...rest,
      TableName: deployment.names.tables[name],
      BillingMode,
      SSESpecification: { SSEEnabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: protection(deployment),
      ...(hasStream(deployment.app.triggers, name) && {
        StreamSpecification: { StreamViewType: streamDefaults.viewType },
      }),
      ...(TimeToLiveAttribute !== undefined && {
        TimeToLiveSpecification: { AttributeName: TimeToLiveAttribute, Enabled: true },
      }),
      Tags: toTags(deployment.tags),
    },
  }
}

const retentionSeconds = 14 * 86_400

function queueResources(
  deployment: Deployment,
  name: string,
  { fifo = false, visibilitySeconds = 30, maxReceives = 3 }: Queue,
): TemplateResources {
  const id = logicalId(name, 'Queue')
  const queueName = deployment.names.queues[name] as string
  return {
    ...queueOf(deployment, `${id}DeadLetters`, deployment.names.deadLetterQueues[name] as string, {
      ...(fifo && { FifoQueue: true }),
    }),
    ...queueOf(deployment, id, queueName, {
      ...(fifo && { FifoQueue: true }),
      VisibilityTimeout: visibilitySeconds,
      RedrivePolicy: { deadLetterTargetArn: getAtt(`${id}DeadLetters`, 'Arn'), maxReceiveCount: maxReceives },
    }),
  }
}

/** A queue that is encrypted, keeps messages for two weeks and takes requests by TLS only. */
export function queueOf(
  { tags }: Deployment,
  id: string,
  QueueName: string,
  properties: Readonly<Record<string, unknown>>,
  allowed: readonly object[] = [],
): TemplateResources {
  const { Statement: denied, ...document } = onlyTls('sqs:*', [getAtt(id, 'Arn')]) as {
    readonly Statement: readonly object[]
  }
  return {
    [id]: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        QueueName,
        SqsManagedSseEnabled: true,
        MessageRetentionPeriod: retentionSeconds,
        ...properties,
        Tags: toTags(tags),
      },
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
    },
    [`${id}Policy`]: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: { Queues: [ref(id)], PolicyDocument: { ...document, Statement: [...denied, ...allowed] } },
    },
  }
}
