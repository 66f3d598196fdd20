/** What a role needs, by resource; `sqs:name` stands for the ARN in the account and region. */
export type Needs = Readonly<Record<string, readonly string[]>>

const traces = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments']
const interfaces = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
]

/** A function writes to its own log group, which is there, and to X-Ray. */
function lambda(functionName: string): Needs {
  return {
    [`logs:log-group:/aws/lambda/${functionName}:*`]: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    '*': traces,
  }
}

/** One that uses the database is in its network, and is the proxy's user. */
const database: Needs = {
  '*': [...traces, ...interfaces],
  [`rds-db:dbuser:\${DatabaseProxyId}/app`]: ['rds-db:connect'],
}

/** What EventBridge calls a function for, and it fails three times, goes to a queue. */
function failures(app: string): Needs {
  return { [`sqs:${app}-failed-events-prod`]: ['sqs:SendMessage'] }
}

/** A state machine delivers its logs, and what X-Ray samples. */
const machine: Needs = {
  '*': [
    'logs:CreateLogDelivery',
    'logs:DeleteLogDelivery',
    'logs:DescribeLogGroups',
    'logs:DescribeResourcePolicies',
    'logs:GetLogDelivery',
    'logs:ListLogDeliveries',
    'logs:PutResourcePolicy',
    'logs:UpdateLogDelivery',
    'xray:GetSamplingRules',
    'xray:GetSamplingTargets',
    'xray:PutTelemetryRecords',
    'xray:PutTraceSegments',
  ],
}

function invokes(app: string, functions: readonly string[]): Needs {
  return Object.fromEntries(
    functions.map(name => [`lambda:function:${app}-${name}-prod`, ['lambda:InvokeFunction']]),
  )
}

function bucket(name: string): string {
  return `arn:\${AWS::Partition}:s3:::${name}-prod-\${AWS::AccountId}-\${AWS::Region}`
}

function objects(name: string, keys: string): string {
  return `${bucket(name)}/${keys}`
}

/** A crawler reads the tables of its database, and adds to them. */
const catalog = ['glue:CreateTable', 'glue:UpdateTable']

/** Functions that have to do with the database alone. */
function onDatabase(app: string, names: readonly string[]): Readonly<Record<string, Needs>> {
  return Object.fromEntries(
    names.map(name => [`function ${name}`, { ...lambda(`${app}-${name}-prod`), ...database }]),
  )
}

const auditTrail: Needs = {
  'dynamodb:table/csv-processing-audit-prod': [
    'dynamodb:BatchGetItem',
    'dynamodb:GetItem',
    'dynamodb:PartiQLInsert',
    'dynamodb:Query',
  ],
}

/**
 * What the roles of the four apps need when they are deployed as `prod`: written by hand from what their tasks, states
 * and services do, and from AWS's documentation (service authorization reference, "IAM policies for integrated
 * services", execution roles of Lambda, "Connecting using IAM authentication" of RDS Proxy, "Step 2: Create an IAM role
 * for AWS Glue"). Nothing here is derived.
 */
export const expectedPolicies: Readonly<Record<string, Readonly<Record<string, Needs>>>> = {
  'csv-processor': {
    'function CsvProcessor': {
      ...lambda('csv-processor-CsvProcessor-prod'),
      ...database,
      // Entries are appended, found to be there, read back to be sealed, and never changed.
      ...auditTrail,
      [objects('csv-processing-bucket', 'data/*')]: ['s3:GetObject', 's3:GetObjectVersion'],
      // Chunks are byte ranges of an upload; manifests are read back, and large reports uploaded in parts.
      [objects('csv-processing-bucket', 'chunks/*')]: [
        's3:AbortMultipartUpload',
        's3:GetObject',
        's3:GetObjectVersion',
        's3:PutObject',
      ],
      [objects('csv-processing-output-bucket', 'results/*')]: [
        's3:AbortMultipartUpload',
        's3:GetObject',
        's3:GetObjectVersion',
        's3:PutObject',
      ],
      [bucket('csv-processing-bucket')]: ['s3:ListBucket'],
      [bucket('csv-processing-output-bucket')]: ['s3:ListBucket'],
    },
    // They read trails, and append seals and an entry.
    'function SealTrail': { ...lambda('csv-processor-SealTrail-prod'), ...auditTrail },
    'function RecordCutShort': {
      ...lambda('csv-processor-RecordCutShort-prod'),
      ...failures('csv-processor'),
      ...auditTrail,
    },
    'function StartProcessing': {
      ...lambda('csv-processor-StartProcessing-prod'),
      ...failures('csv-processor'),
      'states:stateMachine:csv-parallel-processing-workflow-prod': ['states:StartExecution'],
    },
    'function MigrateDatabase': { ...lambda('csv-processor-MigrateDatabase-prod'), ...database },
    'workflow process': {
      ...machine,
      'lambda:function:csv-processor-CsvProcessor-prod': ['lambda:InvokeFunction'],
      'lambda:function:csv-processor-SealTrail-prod': ['lambda:InvokeFunction'],
      'states:stateMachine:csv-parallel-processing-workflow-prod': ['states:StartExecution'],
      'states:execution:csv-parallel-processing-workflow-prod/*': [
        'states:DescribeExecution',
        'states:RedriveExecution',
        'states:StopExecution',
      ],
      [objects('csv-processing-bucket', 'chunks/*')]: ['s3:GetObject'],
      [objects('csv-processing-output-bucket', 'results/*')]: [
        's3:AbortMultipartUpload',
        's3:GetObject',
        's3:ListMultipartUploadParts',
        's3:PutObject',
      ],
    },
  },
  'campaign-import': {
    ...onDatabase('campaign-import', [
      'DeleteExistingRecipients',
      'SummarizeImport',
      'FinalizeImport',
      'FailImport',
      'BeginSending',
      'FinishSending',
      'Unsubscribe',
      'MigrateDatabase',
      'PauseCampaign',
      'ListCampaigns',
    ]),
    'function Site': lambda('campaign-import-Site-prod'),
    'function AskToUnsubscribe': lambda('campaign-import-AskToUnsubscribe-prod'),
    'function SplitCSV': {
      ...lambda('campaign-import-SplitCSV-prod'),
      [objects('campaign-import-campaigns', 'uploads/*')]: ['s3:GetObject', 's3:GetObjectVersion'],
      [objects('campaign-import-campaigns', 'chunks/*')]: [
        's3:GetObject',
        's3:GetObjectVersion',
        's3:PutObject',
      ],
      [bucket('campaign-import-campaigns')]: ['s3:ListBucket'],
    },
    'function ImportChunk': {
      ...lambda('campaign-import-ImportChunk-prod'),
      ...database,
      [objects('campaign-import-campaigns', 'uploads/*')]: ['s3:GetObject'],
      [objects('campaign-import-campaigns', 'chunks/*')]: ['s3:GetObject'],
      [bucket('campaign-import-campaigns')]: ['s3:ListBucket'],
    },
    'function StartSending': {
      ...lambda('campaign-import-StartSending-prod'),
      'states:stateMachine:campaign-import-send-prod': ['states:StartExecution'],
    },
    'function SendBatch': {
      ...lambda('campaign-import-SendBatch-prod'),
      ...database,
      'ses:identity/*': ['ses:SendEmail'],
      'ses:configuration-set/campaign-import-campaigns-prod': ['ses:SendEmail'],
    },
    'function SweepCampaigns': {
      ...lambda('campaign-import-SweepCampaigns-prod'),
      ...database,
      ...failures('campaign-import'),
      'states:stateMachine:campaign-import-import-prod': ['states:StartExecution'],
      'states:stateMachine:campaign-import-send-prod': ['states:StartExecution'],
      'states:execution:campaign-import-import-prod:*': ['states:DescribeExecution'],
      'states:execution:campaign-import-send-prod:*': ['states:DescribeExecution'],
    },
    'function ResendCampaign': {
      ...lambda('campaign-import-ResendCampaign-prod'),
      ...database,
      'states:stateMachine:campaign-import-send-prod': ['states:StartExecution'],
    },
    'function RecordMailEvents': {
      ...lambda('campaign-import-RecordMailEvents-prod'),
      ...database,
      ...failures('campaign-import'),
    },
    'function PurgeRecipients': {
      ...lambda('campaign-import-PurgeRecipients-prod'),
      ...database,
      ...failures('campaign-import'),
    },
    'function PurgeLedger': {
      ...lambda('campaign-import-PurgeLedger-prod'),
      ...database,
      ...failures('campaign-import'),
    },
    'function RequestUpload': {
      ...lambda('campaign-import-RequestUpload-prod'),
      ...database,
      [objects('campaign-import-campaigns', 'uploads/*')]: ['s3:PutObject'],
    },
    'function RegisterCampaign': {
      ...lambda('campaign-import-RegisterCampaign-prod'),
      ...database,
      [objects('campaign-import-campaigns', 'uploads/*')]: ['s3:GetObject'],
      [bucket('campaign-import-campaigns')]: ['s3:ListBucket'],
      'states:stateMachine:campaign-import-import-prod': ['states:StartExecution'],
    },
    'function ChangeCampaign': {
      ...lambda('campaign-import-ChangeCampaign-prod'),
      ...database,
      [objects('campaign-import-campaigns', 'uploads/*')]: ['s3:GetObject'],
      [bucket('campaign-import-campaigns')]: ['s3:ListBucket'],
      'states:stateMachine:campaign-import-import-prod': ['states:StartExecution'],
      'states:stateMachine:campaign-import-send-prod': ['states:StartExecution'],
      'states:execution:campaign-import-import-prod:*': ['states:StopExecution'],
      'states:execution:campaign-import-send-prod:*': ['states:StopExecution'],
    },
    'function CancelCampaign': {
      ...lambda('campaign-import-CancelCampaign-prod'),
      ...database,
      'states:execution:campaign-import-import-prod:*': ['states:StopExecution'],
      'states:execution:campaign-import-send-prod:*': ['states:StopExecution'],
    },
    'function ShowCampaign': {
      ...lambda('campaign-import-ShowCampaign-prod'),
      ...database,
      [objects('campaign-import-campaigns', 'chunks/*')]: ['s3:GetObject'],
      [bucket('campaign-import-campaigns')]: ['s3:ListBucket'],
    },
    'workflow import': {
      ...machine,
      ...invokes('campaign-import', [
        'DeleteExistingRecipients',
        'SplitCSV',
        'ImportChunk',
        'SummarizeImport',
        'FinalizeImport',
        'StartSending',
        'FailImport',
      ]),
    },
    'workflow send': {
      ...machine,
      ...invokes('campaign-import', ['BeginSending', 'SendBatch', 'FinishSending']),
    },
  },
  'async-generation': {
    ...onDatabase('async-generation', [
      'StatusCheckHandler',
      'ListHandler',
      'EventsHandler',
      'UpdateProcessingState',
      'MigrateDatabase',
    ]),
    'function Site': lambda('async-generation-Site-prod'),
    'function AsyncProcessingHandler': {
      ...lambda('async-generation-AsyncProcessingHandler-prod'),
      ...database,
      'states:stateMachine:async-generation-generation-prod': ['states:StartExecution'],
    },
    'function RetryHandler': {
      ...lambda('async-generation-RetryHandler-prod'),
      ...database,
      'states:stateMachine:async-generation-generation-prod': ['states:StartExecution'],
    },
    'function CancelHandler': {
      ...lambda('async-generation-CancelHandler-prod'),
      ...database,
      'states:execution:async-generation-generation-prod:*': ['states:StopExecution'],
    },
    'function AIGenerationWorker': {
      ...lambda('async-generation-AIGenerationWorker-prod'),
      ...database,
      'states:stateMachine:async-generation-generation-prod': [
        'states:SendTaskFailure',
        'states:SendTaskHeartbeat',
        'states:SendTaskSuccess',
      ],
      [`arn:\${AWS::Partition}:bedrock:*::foundation-model/*`]: ['bedrock:InvokeModel'],
      'bedrock:inference-profile/*': ['bedrock:InvokeModel'],
      'bedrock:application-inference-profile/*': ['bedrock:InvokeModel'],
      'bedrock:provisioned-model/*': ['bedrock:InvokeModel'],
      'bedrock:imported-model/*': ['bedrock:InvokeModel'],
      'bedrock:guardrail/*': ['bedrock:ApplyGuardrail'],
    },
    'function LaunchWaiting': {
      ...lambda('async-generation-LaunchWaiting-prod'),
      ...database,
      ...failures('async-generation'),
      'states:stateMachine:async-generation-generation-prod': ['states:StartExecution'],
    },
    'function EndStuckJobs': {
      ...lambda('async-generation-EndStuckJobs-prod'),
      ...database,
      ...failures('async-generation'),
      'states:execution:async-generation-generation-prod:*': ['states:DescribeExecution'],
    },
    'function WatchJobs': {
      ...lambda('async-generation-WatchJobs-prod'),
      ...database,
      ...failures('async-generation'),
    },
    'function PurgeJobs': {
      ...lambda('async-generation-PurgeJobs-prod'),
      ...database,
      ...failures('async-generation'),
    },
    'function PurgeKeys': {
      ...lambda('async-generation-PurgeKeys-prod'),
      ...database,
      ...failures('async-generation'),
    },
    'workflow generation': {
      ...machine,
      ...invokes('async-generation', ['UpdateProcessingState', 'AIGenerationWorker']),
    },
  },
  'data-transform': {
    'function PlanTransform': lambda('data-transform-PlanTransform-prod'),
    'function SummarizeTransform': lambda('data-transform-SummarizeTransform-prod'),
    'function Preflight': {
      ...lambda('data-transform-Preflight-prod'),
      [objects('data-transform-raw', '*')]: ['s3:GetObject'],
      [bucket('data-transform-raw')]: ['s3:ListBucket'],
      [objects('data-transform-curated', '_settings/*')]: ['s3:GetObject'],
      [objects('data-transform-curated', '*/_schema/*')]: ['s3:GetObject'],
      [objects('data-transform-curated', '*/ds=*')]: ['s3:GetObject', 's3:PutObject'],
      [objects('data-transform-curated', '*/runs/*')]: ['s3:GetObject', 's3:PutObject'],
      [bucket('data-transform-curated')]: ['s3:ListBucket'],
      'dynamodb:table/data-transform-locks-prod': ['dynamodb:DeleteItem', 'dynamodb:PutItem'],
    },
    'function PublishPartition': {
      ...lambda('data-transform-PublishPartition-prod'),
      [objects('data-transform-curated', '*/_schema/*')]: ['s3:GetObject', 's3:PutObject'],
      [objects('data-transform-curated', '*/ds=*')]: ['s3:GetObject', 's3:PutObject'],
      [objects('data-transform-curated', '*/runs/*')]: ['s3:DeleteObject', 's3:GetObject'],
      [bucket('data-transform-curated')]: ['s3:ListBucket'],
      'dynamodb:table/data-transform-locks-prod': [
        'dynamodb:DeleteItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
      ],
    },
    'function FailPartition': {
      ...lambda('data-transform-FailPartition-prod'),
      [objects('data-transform-curated', '*/ds=*')]: ['s3:GetObject'],
      [objects('data-transform-curated', '*/runs/*')]: ['s3:DeleteObject', 's3:GetObject'],
      [bucket('data-transform-curated')]: ['s3:ListBucket'],
      'dynamodb:table/data-transform-locks-prod': ['dynamodb:DeleteItem'],
    },
    'function CheckSchema': {
      ...lambda('data-transform-CheckSchema-prod'),
      [objects('data-transform-curated', '*/_schema/*')]: ['s3:GetObject', 's3:PutObject'],
      [objects('data-transform-curated', '*/ds=*')]: ['s3:GetObject'],
      [bucket('data-transform-curated')]: ['s3:ListBucket'],
    },
    'function DescribeTable': {
      ...lambda('data-transform-DescribeTable-prod'),
      [objects('data-transform-curated', '*/_schema/*')]: ['s3:GetObject'],
      [objects('data-transform-curated', '*/ds=*')]: ['s3:GetObject'],
      [bucket('data-transform-curated')]: ['s3:ListBucket'],
    },
    'function AcceptSchema': {
      ...lambda('data-transform-AcceptSchema-prod'),
      [objects('data-transform-curated', '*/_schema/*')]: ['s3:GetObject', 's3:PutObject'],
      [bucket('data-transform-curated')]: ['s3:ListBucket'],
    },
    'function StartTransform': {
      ...lambda('data-transform-StartTransform-prod'),
      ...failures('data-transform'),
      'states:stateMachine:data-transform-transform-prod': ['states:StartExecution'],
    },
    'workflow transform': {
      ...machine,
      ...invokes('data-transform', [
        'PlanTransform',
        'Preflight',
        'PublishPartition',
        'FailPartition',
        'CheckSchema',
        'DescribeTable',
        'AcceptSchema',
        'SummarizeTransform',
      ]),
      'glue:job/data-transform-job-prod': [
        'glue:BatchStopJobRun',
        'glue:GetJobRun',
        'glue:GetJobRuns',
        'glue:StartJobRun',
      ],
      'glue:catalog': catalog,
      'glue:database/data_transform_prod': catalog,
      'glue:table/data_transform_prod/*': catalog,
    },
    'glueJob transform': {
      [`arn:\${AWS::Partition}:s3:::\${CodeBucket}/\${CodePrefix}transform-*.py`]: ['s3:GetObject'],
      [objects('data-transform-raw', '*')]: ['s3:GetObject'],
      [bucket('data-transform-raw')]: ['s3:ListBucket'],
      [objects('data-transform-curated', '*/runs/*')]: [
        's3:AbortMultipartUpload',
        's3:DeleteObject',
        's3:GetObject',
        's3:PutObject',
      ],
      [bucket('data-transform-curated')]: ['s3:ListBucket'],
      'dynamodb:table/data-transform-locks-prod': ['dynamodb:UpdateItem'],
      'logs:log-group:/aws-glue/*': ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
      '*': ['cloudwatch:PutMetricData'],
    },
  },
}
