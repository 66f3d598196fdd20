import type { App, GlueCrawler, GlueJob, Places } from '@stepwright/app'
import { arnOf, bucketArn } from './arn.ts'
import { onBucket, onTable } from './grants.ts'
import { indexesOf } from './indexes-of.ts'
import { allow, type PolicyDocument, type Statement, toDocument } from './statement.ts'

/** Glue writes what a job and a crawler print below groups that all of them share. */
const writeLogs = allow(
  'WriteLogs',
  ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
  [arnOf('logs', 'log-group:/aws-glue/*')],
)

/** What a Glue job must be allowed to do: its grants, its script and its logs. */
export function glueJobPolicy(
  app: App,
  { grants, actions }: GlueJob,
  places: Places,
  scriptArn: string,
): PolicyDocument {
  const needed = { actions: new Set(actions), complete: actions !== undefined }
  const granted = grants.flatMap((grant): readonly Statement[] =>
    'bucket' in grant
      ? onBucket(places.bucketName(grant.bucket), grant.may, needed)
      : onTable(places.tableName(grant.table), indexesOf(app, grant.table), grant.may, needed),
  )
  return toDocument([
    ...granted,
    allow('ReadTheScript', ['s3:GetObject'], [scriptArn]),
    writeLogs,
    allow('PublishMetrics', ['cloudwatch:PutMetricData'], ['*'], {
      StringEquals: { 'cloudwatch:namespace': ['Glue'] },
    }),
  ])
}

/** What a crawler must be allowed to do: to read below its prefix, and to fill its database of the catalog. */
export function crawlerPolicy(
  { bucket, prefix = '' }: GlueCrawler,
  databaseName: string,
  places: Places,
): PolicyDocument {
  const arn = bucketArn(places.bucketName(bucket))
  return toDocument([
    allow('ReadObjects', ['s3:GetObject'], [`${arn}/${prefix}*`]),
    allow('ListObjects', ['s3:ListBucket'], [arn]),
    allow(
      'FillTheCatalog',
      [
        'glue:BatchCreatePartition',
        'glue:BatchGetPartition',
        'glue:CreateTable',
        'glue:GetDatabase',
        'glue:GetPartitions',
        'glue:GetTable',
        'glue:GetTables',
        'glue:UpdatePartition',
        'glue:UpdateTable',
      ],
      ['catalog', `database/${databaseName}`, `table/${databaseName}/*`].map(each => arnOf('glue', each)),
    ),
    writeLogs,
  ])
}
