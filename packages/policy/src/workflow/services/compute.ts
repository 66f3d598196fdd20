import { arnOf, globalArnOf, isArn, toArn } from '../../arn.ts'
import { allow, type Statement } from '../../statement.ts'
import { type Call, pascal, waits } from '../call.ts'
import { hearOf, passRole } from '../event-rules.ts'

export function codebuild(call: Call): readonly Statement[] {
  const { action } = call
  const project = toArn(call.text('ProjectName') ?? '*', 'codebuild', 'project/')
  if (action === 'startBuild' || action === 'startBuildBatch' || action === 'retryBuildBatch') {
    const isBatch = action !== 'startBuild'
    const start = `codebuild:${pascal(action)}`
    if (!waits(call)) return [allow('RunBuilds', [start], [project])]
    const follow = isBatch
      ? ['codebuild:StopBuildBatch', 'codebuild:BatchGetBuildBatches']
      : ['codebuild:StopBuild', 'codebuild:BatchGetBuilds']
    return [
      allow('RunBuilds', [start, ...follow], [project]),
      hearOf(
        isBatch
          ? 'StepFunctionsGetEventForCodeBuildStartBuildBatchRule'
          : 'StepFunctionsGetEventForCodeBuildStartBuildRule',
      ),
    ]
  }
  const resource = action === 'batchGetReports' ? 'report-group/*' : 'project/*'
  return [allow('ManageBuilds', [`codebuild:${pascal(action)}`], [arnOf('codebuild', resource)])]
}

export function ecs(call: Call): readonly Statement[] {
  const definition = call.text('TaskDefinition') ?? '*'
  // Without a revision the latest is run, whichever that is.
  const arn = toArn(definition, 'ecs', 'task-definition/')
  const task = isArn(definition) || /[:*]/.test(definition) ? arn : `${arn}:*`
  const roles = ['TaskRoleArn', 'ExecutionRoleArn'].flatMap(role =>
    passRole(call.text('Overrides', role), 'ecs-tasks.amazonaws.com'),
  )
  return [
    allow('RunContainers', ['ecs:RunTask'], [task]),
    ...roles,
    ...(waits(call)
      ? [
          allow('FollowContainers', ['ecs:StopTask', 'ecs:DescribeTasks'], ['*']),
          hearOf('StepFunctionsGetEventsForECSTaskRule'),
        ]
      : []),
  ]
}

export function eks(call: Call): readonly Statement[] {
  const { action } = call
  const cluster = call.text('ClusterName') ?? call.text('Name') ?? '*'
  // Jobs and calls of the cluster's own API are authorized by the cluster.
  if (action === 'call' || action === 'runJob') return []
  const verb = `eks:${pascal(action)}`
  const of: Readonly<Record<string, readonly [describe: string, resource: string]>> = {
    createCluster: ['Cluster', 'cluster/*'],
    deleteCluster: ['Cluster', `cluster/${cluster}`],
    createNodegroup: ['Nodegroup', 'nodegroup/*'],
    deleteNodegroup: ['Nodegroup', `nodegroup/${cluster}/${call.text('NodegroupName') ?? '*'}/*`],
    createFargateProfile: ['FargateProfile', 'fargateprofile/*'],
    deleteFargateProfile: [
      'FargateProfile',
      `fargateprofile/${cluster}/${call.text('FargateProfileName') ?? '*'}/*`,
    ],
  }
  const [kind = '', resource = '*'] = of[action] ?? []
  if (action.startsWith('delete'))
    return [
      allow(
        'DeleteFromEks',
        [verb, ...(waits(call) ? [`eks:Describe${kind}`] : [])],
        [arnOf('eks', resource)],
      ),
    ]
  const role = call.text('RoleArn') ?? call.text('NodeRole') ?? call.text('PodExecutionRoleArn')
  return [
    allow('CreateInEks', [verb, ...(kind === 'Nodegroup' ? ['ec2:DescribeSubnets'] : [])], ['*']),
    ...(waits(call)
      ? [allow('FollowEks', [`eks:Describe${kind}`, `eks:Delete${kind}`], [arnOf('eks', resource)])]
      : []),
    ...(kind === 'Nodegroup'
      ? [allow('ReadRoles', ['iam:GetRole', 'iam:ListAttachedRolePolicies'], [globalArnOf('iam', 'role/*')])]
      : []),
    ...passRole(role, kind === 'FargateProfile' ? 'eks-fargate-pods.amazonaws.com' : 'eks.amazonaws.com'),
  ]
}
