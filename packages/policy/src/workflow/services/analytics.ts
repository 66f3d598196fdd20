import { arnOf, bucketArn, globalArnOf, toArn } from '../../arn.ts'
import { allow, type Statement } from '../../statement.ts'
import { type Call, pascal, waits } from '../call.ts'
import { hearOf, passRole } from '../event-rules.ts'

export function athena(call: Call): readonly Statement[] {
  const workGroup = toArn(
    call.text('WorkGroup') ?? (call.value() === undefined ? '*' : 'primary'),
    'athena',
    'workgroup/',
  )
  if (call.action === 'getQueryExecution' || call.action === 'stopQueryExecution')
    return [allow('QueryAthena', [`athena:${call.action}`], [arnOf('athena', 'workgroup/*')])]
  if (call.action === 'getQueryResults')
    return [
      allow('QueryAthena', ['athena:getQueryResults'], [arnOf('athena', 'workgroup/*')]),
      allow('ReadResults', ['s3:GetObject'], [bucketArn('*')]),
    ]
  const follow = waits(call) ? ['athena:stopQueryExecution', 'athena:getQueryExecution'] : []
  return [
    allow(
      'QueryAthena',
      ['athena:startQueryExecution', 'athena:getDataCatalog', ...follow],
      [workGroup, arnOf('athena', 'datacatalog/*')],
    ),
    allow(
      'ReadDataAndWriteResults',
      [
        's3:GetBucketLocation',
        's3:GetObject',
        's3:ListBucket',
        's3:ListBucketMultipartUploads',
        's3:ListMultipartUploadParts',
        's3:AbortMultipartUpload',
        's3:CreateBucket',
        's3:PutObject',
      ],
      [bucketArn('*')],
    ),
    allow(
      'UseTheCatalog',
      [
        ...['Create', 'Get', 'Update', 'Delete'].flatMap(verb => [
          `glue:${verb}Database`,
          `glue:${verb}Table`,
          `glue:${verb}Partition`,
        ]),
        'glue:GetDatabases',
        'glue:GetTables',
        'glue:GetPartitions',
        'glue:BatchDeleteTable',
        'glue:BatchCreatePartition',
        'glue:BatchGetPartition',
        'glue:BatchDeletePartition',
      ],
      ['catalog', 'database/*', 'table/*', 'userDefinedFunction/*'].map(each => arnOf('glue', each)),
    ),
    allow('ReadWhatLakeFormationGuards', ['lakeformation:GetDataAccess'], ['*']),
  ]
}

export function emr(call: Call): readonly Statement[] {
  const cluster = toArn(call.text('ClusterId') ?? '*', 'elasticmapreduce', 'cluster/')
  const of = (names: readonly string[]) => names.map(name => `elasticmapreduce:${name}`)
  switch (call.action) {
    case 'addStep':
      return waits(call)
        ? [
            allow('RunSteps', of(['AddJobFlowSteps', 'DescribeStep', 'CancelSteps']), [cluster]),
            hearOf('StepFunctionsGetEventForEMRAddJobFlowStepsRule'),
          ]
        : [allow('RunSteps', of(['AddJobFlowSteps']), [cluster])]
    case 'createCluster':
      return [
        allow(
          'CreateClusters',
          of(['RunJobFlow', ...(waits(call) ? ['DescribeCluster', 'TerminateJobFlows'] : [])]),
          ['*'],
        ),
        ...['ServiceRole', 'JobFlowRole', 'AutoScalingRole'].flatMap(role =>
          passRole(
            call.text(role),
            role === 'JobFlowRole' ? 'ec2.amazonaws.com' : 'elasticmapreduce.amazonaws.com',
          ),
        ),
        ...(waits(call) ? [hearOf('StepFunctionsGetEventForEMRRunJobFlowRule')] : []),
      ]
    case 'terminateCluster':
      return [
        allow('EndClusters', of(['TerminateJobFlows', ...(waits(call) ? ['DescribeCluster'] : [])]), [
          cluster,
        ]),
        ...(waits(call) ? [hearOf('StepFunctionsGetEventForEMRTerminateJobFlowsRule')] : []),
      ]
    case 'cancelStep':
      return [allow('CancelSteps', of(['CancelSteps']), [cluster])]
    case 'setClusterTerminationProtection':
      return [allow('ProtectClusters', of(['SetTerminationProtection']), [cluster])]
    case 'modifyInstanceFleetByName':
      return [allow('ResizeClusters', of(['ModifyInstanceFleet', 'ListInstanceFleets']), [cluster])]
    default:
      return [allow('ResizeClusters', of(['ModifyInstanceGroups', 'ListInstanceGroups']), [cluster])]
  }
}

export function emrContainers(call: Call): readonly Statement[] {
  const cluster = toArn(
    call.text('VirtualClusterId') ?? call.text('Id') ?? '*',
    'emr-containers',
    '/virtualclusters/',
  )
  if (call.action === 'createVirtualCluster')
    return [
      allow('CreateVirtualClusters', ['emr-containers:CreateVirtualCluster'], ['*']),
      allow(
        'CreateTheServiceRole',
        ['iam:CreateServiceLinkedRole'],
        [
          globalArnOf(
            'iam',
            'role/aws-service-role/emr-containers.amazonaws.com/AWSServiceRoleForAmazonEMRContainers',
          ),
        ],
        { StringLike: { 'iam:AWSServiceName': ['emr-containers.amazonaws.com'] } },
      ),
    ]
  if (call.action === 'deleteVirtualCluster')
    return [
      allow(
        'DeleteVirtualClusters',
        [
          'emr-containers:DeleteVirtualCluster',
          ...(waits(call) ? ['emr-containers:DescribeVirtualCluster'] : []),
        ],
        [cluster],
      ),
    ]
  const role = call.text('ExecutionRoleArn')
  return [
    allow(
      'RunContainerJobs',
      ['emr-containers:StartJobRun'],
      [cluster],
      role === undefined || role === '*'
        ? undefined
        : { StringEquals: { 'emr-containers:ExecutionRoleArn': [role] } },
    ),
    ...(waits(call)
      ? [
          allow(
            'FollowContainerJobs',
            ['emr-containers:DescribeJobRun', 'emr-containers:CancelJobRun'],
            [`${cluster}/jobruns/*`],
          ),
        ]
      : []),
  ]
}

export function emrServerless(call: Call): readonly Statement[] {
  const application = toArn(call.text('ApplicationId') ?? '*', 'emr-serverless', '/applications/')
  const of = (names: readonly string[]) => names.map(name => `emr-serverless:${name}`)
  const applicationRule = hearOf('StepFunctionsGetEventsForEMRServerlessApplicationRule')
  switch (call.action) {
    case 'startJobRun':
      return [
        allow('RunServerlessJobs', of(['StartJobRun']), [application]),
        ...passRole(call.text('ExecutionRoleArn'), 'emr-serverless.amazonaws.com'),
        ...(waits(call)
          ? [
              allow('FollowServerlessJobs', of(['GetJobRun', 'CancelJobRun']), [`${application}/jobruns/*`]),
              hearOf('StepFunctionsGetEventsForEMRServerlessJobRule'),
            ]
          : []),
      ]
    case 'cancelJobRun':
      return [
        allow('FollowServerlessJobs', of(['CancelJobRun', ...(waits(call) ? ['GetJobRun'] : [])]), [
          `${application}/jobruns/${call.text('JobRunId') ?? '*'}`,
        ]),
        ...(waits(call) ? [hearOf('StepFunctionsGetEventsForEMRServerlessJobRule')] : []),
      ]
    case 'createApplication':
      return [
        allow('CreateApplications', of(['CreateApplication']), ['*']),
        ...(waits(call)
          ? [
              allow('FollowApplications', of(['GetApplication', 'DeleteApplication']), [
                arnOf('emr-serverless', '/applications/*'),
              ]),
              applicationRule,
            ]
          : []),
        allow(
          'CreateTheServiceRole',
          ['iam:CreateServiceLinkedRole'],
          [
            globalArnOf(
              'iam',
              'role/aws-service-role/ops.emr-serverless.amazonaws.com/AWSServiceRoleForAmazonEMRServerless*',
            ),
          ],
          { StringLike: { 'iam:AWSServiceName': ['ops.emr-serverless.amazonaws.com'] } },
        ),
      ]
    default:
      return [
        allow(
          'ManageApplications',
          of([
            pascal(call.action),
            ...(waits(call)
              ? ['GetApplication', ...(call.action === 'startApplication' ? ['StopApplication'] : [])]
              : []),
          ]),
          [application],
        ),
        ...(waits(call) ? [applicationRule] : []),
      ]
  }
}
