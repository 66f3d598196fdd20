import type { App, GlueJob, Places } from '@stepwright/app'
import { arnOf } from './arn.ts'
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
