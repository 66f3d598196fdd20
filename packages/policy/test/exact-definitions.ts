import type { WorkflowPolicyOptions } from '../src/index.ts'

/** A state machine, and what its role needs as AWS documents it: by resource, the actions. */
export interface ExactDefinition {
  readonly name: string
  readonly definition: object
  /** `dynamodb:table/Orders` stands for the ARN in the account and region; `s3:::name/key`, ARNs and `*` for themselves. */
  readonly needs: Readonly<Record<string, readonly string[]>>
  /** The conditions of a statement, by one of its actions. */
  readonly conditions?: Readonly<Record<string, object>>
  readonly options?: WorkflowPolicyOptions
}

type Fields = Readonly<Record<string, unknown>>

/** A machine of Task states, one after another: the Resource without `arn:aws:states:::`, and the parameters. */
function tasks(
  ...calls: readonly (readonly [resource: string, parameters?: Fields, more?: Fields])[]
): object {
  const named = calls.map(
    ([resource, Parameters, more], index) =>
      [
        `State${index}`,
        {
          Type: 'Task',
          Resource:
            resource.startsWith('arn:') || resource.startsWith('$')
              ? resource
              : `arn:aws:states:::${resource}`,
          ...(Parameters && { Parameters }),
          ...more,
          ...(index === calls.length - 1 ? { End: true } : { Next: `State${index + 1}` }),
        },
      ] as const,
  )
  return { StartAt: 'State0', States: Object.fromEntries(named) }
}

const hear = ['events:PutTargets', 'events:PutRule', 'events:DescribeRule']
const validate = `\${Validate}`
const role = 'arn:aws:iam::123456789012:role/worker'
const children = ['states:DescribeExecution', 'states:StopExecution', 'states:RedriveExecution']
function pass(service: string): Fields & Readonly<Record<string, object>> {
  return { 'iam:PassRole': { StringEquals: { 'iam:PassedToService': [service] } } }
}

const writes = ['s3:PutObject', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:AbortMultipartUpload']

function distributedMap(more: Fields, states: Fields = { Pass: { Type: 'Pass', End: true } }): object {
  return {
    StartAt: 'Each',
    States: {
      Each: {
        Type: 'Map',
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          StartAt: Object.keys(states)[0],
          States: states,
        },
        ...more,
        End: true,
      },
    },
  }
}

/** Written by hand from the developer guide's pages on the IAM policies of integrated services. */
export const exactDefinitions: readonly ExactDefinition[] = [
  {
    name: 'two Lambda functions, by ARN and by the optimized integration',
    definition: tasks(
      ['arn:aws:lambda:us-east-1:123456789012:function:first'],
      ['lambda:invoke', { FunctionName: 'second', 'Payload.$': '$' }],
    ),
    needs: {
      'arn:aws:lambda:us-east-1:123456789012:function:first': ['lambda:InvokeFunction'],
      'lambda:function:second': ['lambda:InvokeFunction'],
    },
  },
  {
    name: 'a Lambda function by its alias, waiting for a token',
    definition: tasks(['lambda:invoke.waitForTaskToken', { FunctionName: 'approve:live', Payload: {} }]),
    needs: { 'lambda:function:approve:live': ['lambda:InvokeFunction'] },
  },
  {
    name: 'a Lambda function that only the input names',
    definition: tasks(['lambda:invoke', { 'FunctionName.$': '$.function' }]),
    needs: { 'lambda:function:*': ['lambda:InvokeFunction'] },
  },
  {
    name: 'a placeholder for a function',
    definition: tasks([validate]),
    needs: { [validate]: ['lambda:InvokeFunction'] },
  },
  {
    name: 'activities and no tasks at all',
    definition: tasks(['arn:aws:states:us-east-1:123456789012:activity:sign']),
    needs: {},
  },
  {
    name: 'DynamoDB, optimized',
    definition: tasks(
      ['dynamodb:getItem', { TableName: 'Orders', Key: {} }],
      ['dynamodb:updateItem', { TableName: 'Orders', Key: {} }],
      ['dynamodb:putItem', { TableName: 'Events', Item: {} }],
    ),
    needs: {
      'dynamodb:table/Orders': ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
      'dynamodb:table/Events': ['dynamodb:PutItem'],
    },
  },
  {
    name: 'batches of messages, which IAM knows by the single ones',
    definition: tasks(
      ['aws-sdk:sqs:sendMessageBatch', { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/123456789012/work' }],
      ['aws-sdk:sns:publishBatch', { TopicArn: 'arn:aws:sns:us-east-1:123456789012:news' }],
    ),
    needs: {
      'sqs:work': ['sqs:SendMessage'],
      'arn:aws:sns:us-east-1:123456789012:news': ['sns:Publish'],
    },
  },
  {
    name: 'DynamoDB by the SDK: an index, a batch and a transaction',
    definition: tasks(
      ['aws-sdk:dynamodb:query', { TableName: 'Orders', IndexName: 'byDay' }],
      ['aws-sdk:dynamodb:batchWriteItem', { RequestItems: { Events: [] } }],
      [
        'aws-sdk:dynamodb:transactWriteItems',
        {
          TransactItems: [
            { Put: { TableName: 'Orders', Item: {} } },
            { ConditionCheck: { TableName: 'Stock', Key: {} } },
          ],
        },
      ],
    ),
    needs: {
      'dynamodb:table/Orders/index/byDay': ['dynamodb:Query'],
      'dynamodb:table/Events': ['dynamodb:BatchWriteItem'],
      'dynamodb:table/Orders': ['dynamodb:PutItem'],
      'dynamodb:table/Stock': ['dynamodb:ConditionCheckItem'],
    },
  },
  {
    name: 'a PartiQL statement',
    definition: tasks([
      'aws-sdk:dynamodb:executeStatement',
      { Statement: 'INSERT INTO "Trail" VALUE {\'id\': ?}' },
    ]),
    needs: { 'dynamodb:table/Trail': ['dynamodb:PartiQLInsert'] },
  },
  {
    name: 'SNS and SQS',
    definition: tasks(
      ['sns:publish', { TopicArn: 'arn:aws:sns:us-east-1:123456789012:news', Message: 'x' }],
      [
        'sqs:sendMessage.waitForTaskToken',
        { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/123456789012/work', MessageBody: {} },
      ],
    ),
    needs: {
      'arn:aws:sns:us-east-1:123456789012:news': ['sns:Publish'],
      'sqs:work': ['sqs:SendMessage'],
    },
  },
  {
    name: 'a text message, which no ARN names',
    definition: tasks(['sns:publish', { 'PhoneNumber.$': '$.phone', Message: 'x' }]),
    needs: { '*': ['sns:Publish'] },
  },
  {
    name: 'EventBridge, on the default bus and another',
    definition: tasks([
      'events:putEvents',
      { Entries: [{ Source: 'a' }, { Source: 'b', EventBusName: 'orders' }] },
    ]),
    needs: {
      'events:event-bus/default': ['events:PutEvents'],
      'events:event-bus/orders': ['events:PutEvents'],
    },
  },
  {
    name: 'a nested execution, not waited for',
    definition: tasks([
      'states:startExecution',
      { StateMachineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:inner' },
    ]),
    needs: { 'arn:aws:states:us-east-1:123456789012:stateMachine:inner': ['states:StartExecution'] },
  },
  {
    name: 'a nested execution that is waited for',
    definition: tasks([
      'states:startExecution.sync:2',
      { StateMachineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:inner' },
    ]),
    needs: {
      'arn:aws:states:us-east-1:123456789012:stateMachine:inner': ['states:StartExecution'],
      'arn:aws:states:us-east-1:123456789012:execution:inner:*': [
        'states:DescribeExecution',
        'states:StopExecution',
      ],
      'events:rule/StepFunctionsGetEventsForStepFunctionsExecutionRule': hear,
    },
  },
  {
    name: 'an Express workflow, called by the SDK',
    definition: tasks([
      'aws-sdk:sfn:startSyncExecution',
      { StateMachineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:fast' },
    ]),
    needs: { 'arn:aws:states:us-east-1:123456789012:stateMachine:fast': ['states:StartSyncExecution'] },
  },
  {
    name: 'a Distributed Map over a CSV, with results',
    options: { stateMachineName: 'Import' },
    definition: distributedMap(
      {
        Label: 'Rows',
        ItemReader: {
          Resource: 'arn:aws:states:::s3:getObject',
          ReaderConfig: { InputType: 'CSV' },
          Parameters: { Bucket: 'data', Key: 'in/rows.csv' },
        },
        ResultWriter: {
          Resource: 'arn:aws:states:::s3:putObject',
          Parameters: { Bucket: 'out', Prefix: 'results' },
        },
      },
      {
        Work: {
          Type: 'Task',
          Resource: 'arn:aws:states:::lambda:invoke',
          Parameters: { FunctionName: 'work' },
          End: true,
        },
      },
    ),
    needs: {
      'states:stateMachine:Import': ['states:StartExecution'],
      'states:execution:Import/Rows:*': children,
      's3:::data/in/rows.csv': ['s3:GetObject'],
      's3:::out/results/*': writes,
      'lambda:function:work': ['lambda:InvokeFunction'],
    },
  },
  {
    name: 'a Distributed Map over a listing',
    options: { stateMachineName: 'Import' },
    definition: distributedMap({
      ItemReader: {
        Resource: 'arn:aws:states:::s3:listObjectsV2',
        Parameters: { Bucket: 'data', Prefix: 'in/' },
      },
    }),
    needs: {
      'states:stateMachine:Import': ['states:StartExecution'],
      'states:execution:Import/*': children,
      's3:::data': ['s3:ListBucket'],
    },
    conditions: { 's3:ListBucket': { StringLike: { 's3:prefix': ['in/*'] } } },
  },
  {
    name: 'a Distributed Map that reads what it lists',
    options: { stateMachineName: 'Import' },
    definition: distributedMap({
      ItemReader: {
        Resource: 'arn:aws:states:::s3:listObjectsV2',
        ReaderConfig: { Transformation: 'LOAD_AND_FLATTEN', InputType: 'JSON' },
        Parameters: { Bucket: 'data', Prefix: 'in/' },
      },
    }),
    needs: {
      'states:stateMachine:Import': ['states:StartExecution'],
      'states:execution:Import/*': children,
      's3:::data': ['s3:ListBucket'],
      's3:::data/in/*': ['s3:GetObject'],
    },
    conditions: { 's3:ListBucket': { StringLike: { 's3:prefix': ['in/*'] } } },
  },
  {
    name: 'a Distributed Map over an inventory, which names files of its bucket',
    options: { stateMachineName: 'Import' },
    definition: distributedMap({
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        ReaderConfig: { InputType: 'MANIFEST' },
        Parameters: { Bucket: 'inventory', Key: 'daily/manifest.json' },
      },
    }),
    needs: {
      'states:stateMachine:Import': ['states:StartExecution'],
      'states:execution:Import/*': children,
      's3:::inventory/*': ['s3:GetObject'],
    },
  },
  {
    name: 'places that an execution knows, in part known here: JSONPath',
    options: { stateMachineName: 'Import', known: { '$.bucket': 'data', '$.manifest.key': 'chunks/*' } },
    definition: distributedMap({
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        Parameters: { 'Bucket.$': '$.bucket', 'Key.$': '$.manifest.key' },
      },
      ResultWriter: {
        Resource: 'arn:aws:states:::s3:putObject',
        Parameters: { Bucket: 'out', 'Prefix.$': "States.Format('results/{}/children', $.id)" },
      },
    }),
    needs: {
      'states:stateMachine:Import': ['states:StartExecution'],
      'states:execution:Import/*': children,
      's3:::data/chunks/*': ['s3:GetObject'],
      's3:::out/results/*/children/*': writes,
    },
  },
  {
    name: 'places that an execution knows in part: JSONata',
    definition: {
      QueryLanguage: 'JSONata',
      StartAt: 'Put',
      States: {
        Put: {
          Type: 'Task',
          Resource: 'arn:aws:states:::aws-sdk:s3:putObject',
          Arguments: {
            Bucket: 'out',
            Key: "{% 'reports/' & $states.input.day & '/' & $uuid() & '.json' %}",
            Body: '{}',
          },
          End: true,
        },
      },
    },
    needs: { 's3:::out/reports/*/*.json': ['s3:PutObject'] },
  },
  {
    name: 'S3 by the SDK: head, copy, list, delete',
    definition: tasks(
      ['aws-sdk:s3:headObject', { Bucket: 'data', Key: 'a.csv' }],
      ['aws-sdk:s3:copyObject', { CopySource: 'data/a.csv', Bucket: 'archive', Key: 'a.csv' }],
      ['aws-sdk:s3:listObjectsV2', { Bucket: 'archive' }],
      ['aws-sdk:s3:deleteObject', { Bucket: 'data', Key: 'a.csv' }],
    ),
    needs: {
      's3:::data/a.csv': ['s3:GetObject', 's3:DeleteObject'],
      's3:::archive/a.csv': ['s3:PutObject'],
      's3:::archive': ['s3:ListBucket'],
    },
  },
  {
    name: 'Glue, not waited for',
    definition: tasks(['glue:startJobRun', { JobName: 'transform' }]),
    needs: { 'glue:job/transform': ['glue:StartJobRun'] },
  },
  {
    name: 'Glue, waited for, and a crawler by the SDK',
    definition: tasks(
      ['glue:startJobRun.sync', { JobName: 'transform' }],
      ['aws-sdk:glue:startCrawler', { Name: 'lake' }],
      ['aws-sdk:glue:getCrawler', { Name: 'lake' }],
    ),
    needs: {
      'glue:job/transform': ['glue:StartJobRun', 'glue:GetJobRun', 'glue:GetJobRuns', 'glue:BatchStopJobRun'],
      'glue:crawler/lake': ['glue:StartCrawler', 'glue:GetCrawler'],
    },
  },
  {
    name: 'tables of the Glue catalog',
    definition: tasks(
      ['aws-sdk:glue:createTable', { DatabaseName: 'lake', TableInput: { Name: 'orders' } }],
      ['aws-sdk:glue:updateTable', { DatabaseName: 'lake', TableInput: { Name: 'orders' } }],
    ),
    needs: {
      'glue:catalog': ['glue:CreateTable', 'glue:UpdateTable'],
      'glue:database/lake': ['glue:CreateTable', 'glue:UpdateTable'],
      'glue:table/lake/*': ['glue:CreateTable', 'glue:UpdateTable'],
    },
  },
  {
    name: 'Batch, waited for',
    definition: tasks(['batch:submitJob.sync', { JobName: 'x', JobQueue: 'q', JobDefinition: 'd' }]),
    needs: {
      '*': ['batch:SubmitJob', 'batch:DescribeJobs', 'batch:TerminateJob'],
      'events:rule/StepFunctionsGetEventsForBatchJobsRule': hear,
    },
  },
  {
    name: 'ECS, waited for, with a role of its own',
    definition: tasks([
      'ecs:runTask.sync',
      {
        TaskDefinition: 'arn:aws:ecs:us-east-1:123456789012:task-definition/report:3',
        Overrides: { TaskRoleArn: role },
      },
    ]),
    needs: {
      'arn:aws:ecs:us-east-1:123456789012:task-definition/report:3': ['ecs:RunTask'],
      '*': ['ecs:StopTask', 'ecs:DescribeTasks'],
      'events:rule/StepFunctionsGetEventsForECSTaskRule': hear,
      [role]: ['iam:PassRole'],
    },
    conditions: pass('ecs-tasks.amazonaws.com'),
  },
  {
    name: 'ECS by a token',
    definition: tasks([
      'ecs:runTask.waitForTaskToken',
      { TaskDefinition: 'arn:aws:ecs:us-east-1:123456789012:task-definition/report:3' },
    ]),
    needs: { 'arn:aws:ecs:us-east-1:123456789012:task-definition/report:3': ['ecs:RunTask'] },
  },
  {
    name: 'CodeBuild, waited for',
    definition: tasks(['codebuild:startBuild.sync', { ProjectName: 'site' }]),
    needs: {
      'codebuild:project/site': ['codebuild:StartBuild', 'codebuild:StopBuild', 'codebuild:BatchGetBuilds'],
      'events:rule/StepFunctionsGetEventForCodeBuildStartBuildRule': hear,
    },
  },
  {
    name: 'SageMaker training, waited for',
    definition: tasks(['sagemaker:createTrainingJob.sync', { TrainingJobName: 'nightly', RoleArn: role }]),
    needs: {
      'sagemaker:training-job/nightly*': [
        'sagemaker:CreateTrainingJob',
        'sagemaker:DescribeTrainingJob',
        'sagemaker:StopTrainingJob',
      ],
      '*': ['sagemaker:ListTags'],
      [role]: ['iam:PassRole'],
      'events:rule/StepFunctionsGetEventsForSageMakerTrainingJobsRule': hear,
    },
    conditions: pass('sagemaker.amazonaws.com'),
  },
  {
    name: 'SageMaker training, not waited for',
    definition: tasks(['sagemaker:createTrainingJob', { TrainingJobName: 'nightly', RoleArn: role }]),
    needs: {
      'sagemaker:training-job/nightly*': ['sagemaker:CreateTrainingJob'],
      '*': ['sagemaker:ListTags'],
      [role]: ['iam:PassRole'],
    },
    conditions: pass('sagemaker.amazonaws.com'),
  },
  {
    name: 'EMR: a step that is waited for',
    definition: tasks(['elasticmapreduce:addStep.sync', { ClusterId: 'j-1', Step: {} }]),
    needs: {
      'elasticmapreduce:cluster/j-1': [
        'elasticmapreduce:AddJobFlowSteps',
        'elasticmapreduce:DescribeStep',
        'elasticmapreduce:CancelSteps',
      ],
      'events:rule/StepFunctionsGetEventForEMRAddJobFlowStepsRule': hear,
    },
  },
  {
    name: 'EMR: protection from termination, of a cluster that the input names',
    definition: tasks([
      'elasticmapreduce:setClusterTerminationProtection',
      { 'ClusterId.$': '$.id', TerminationProtected: true },
    ]),
    needs: { 'elasticmapreduce:cluster/*': ['elasticmapreduce:SetTerminationProtection'] },
  },
  {
    name: 'EMR on EKS: a job that is waited for',
    definition: tasks([
      'emr-containers:startJobRun.sync',
      { VirtualClusterId: 'v1', ExecutionRoleArn: role },
    ]),
    needs: {
      'emr-containers:/virtualclusters/v1': ['emr-containers:StartJobRun'],
      'emr-containers:/virtualclusters/v1/jobruns/*': [
        'emr-containers:DescribeJobRun',
        'emr-containers:CancelJobRun',
      ],
    },
    conditions: {
      'emr-containers:StartJobRun': { StringEquals: { 'emr-containers:ExecutionRoleArn': [role] } },
    },
  },
  {
    name: 'EMR Serverless: a job that is waited for',
    definition: tasks(['emr-serverless:startJobRun.sync', { ApplicationId: 'a1', ExecutionRoleArn: role }]),
    needs: {
      'emr-serverless:/applications/a1': ['emr-serverless:StartJobRun'],
      'emr-serverless:/applications/a1/jobruns/*': [
        'emr-serverless:GetJobRun',
        'emr-serverless:CancelJobRun',
      ],
      [role]: ['iam:PassRole'],
      'events:rule/StepFunctionsGetEventsForEMRServerlessJobRule': hear,
    },
    conditions: pass('emr-serverless.amazonaws.com'),
  },
  {
    name: 'EKS: a cluster that is created and waited for',
    definition: tasks(['eks:createCluster.sync', { Name: 'c', RoleArn: role }]),
    needs: {
      '*': ['eks:CreateCluster'],
      'eks:cluster/*': ['eks:DescribeCluster', 'eks:DeleteCluster'],
      [role]: ['iam:PassRole'],
    },
    conditions: pass('eks.amazonaws.com'),
  },
  {
    name: 'EKS: a cluster that is deleted and waited for',
    definition: tasks(['eks:deleteCluster.sync', { Name: 'c' }]),
    needs: { 'eks:cluster/c': ['eks:DeleteCluster', 'eks:DescribeCluster'] },
  },
  {
    name: 'DataBrew, waited for',
    definition: tasks(['databrew:startJobRun.sync', { Name: 'clean' }]),
    needs: { 'databrew:job/clean': ['databrew:startJobRun', 'databrew:listJobRuns', 'databrew:stopJobRun'] },
  },
  {
    name: 'API Gateway',
    definition: tasks([
      'apigateway:invoke',
      {
        ApiEndpoint: 'a1.execute-api.us-east-1.amazonaws.com',
        Stage: 'prod',
        Method: 'GET',
        Path: '/orders',
      },
    ]),
    needs: { 'execute-api:a1/prod/GET/orders': ['execute-api:Invoke'] },
  },
  {
    name: 'an HTTP endpoint',
    definition: tasks([
      'http:invoke',
      {
        ApiEndpoint: 'https://api.example.com/v1/orders',
        Method: 'POST',
        Authentication: { ConnectionArn: 'arn:aws:events:us-east-1:123456789012:connection/shop/1' },
      },
    ]),
    needs: {
      '*': ['states:InvokeHTTPEndpoint'],
      'arn:aws:events:us-east-1:123456789012:connection/shop/1': ['events:RetrieveConnectionCredentials'],
      'secretsmanager:secret:events!connection/*': [
        'secretsmanager:GetSecretValue',
        'secretsmanager:DescribeSecret',
      ],
    },
    conditions: {
      'states:InvokeHTTPEndpoint': {
        StringLike: {
          'states:HTTPMethod': ['POST'],
          'states:HTTPEndpoint': ['https://api.example.com/v1/orders'],
        },
      },
    },
  },
  {
    name: 'Bedrock',
    definition: tasks(['bedrock:invokeModel', { ModelId: 'amazon.nova-lite-v1:0', Body: {} }]),
    needs: {
      'arn:${AWS::Partition}:bedrock:${AWS::Region}::foundation-model/amazon.nova-lite-v1:0': [
        'bedrock:InvokeModel',
      ],
    },
  },
  {
    name: 'Athena, not waited for',
    definition: tasks(['athena:startQueryExecution', { QueryString: 'SELECT 1', WorkGroup: 'reports' }]),
    needs: {
      'athena:workgroup/reports': ['athena:startQueryExecution', 'athena:getDataCatalog'],
      'athena:datacatalog/*': ['athena:startQueryExecution', 'athena:getDataCatalog'],
      's3:::*': [
        's3:GetBucketLocation',
        's3:GetObject',
        's3:ListBucket',
        's3:ListBucketMultipartUploads',
        's3:ListMultipartUploadParts',
        's3:AbortMultipartUpload',
        's3:CreateBucket',
        's3:PutObject',
      ],
      ...Object.fromEntries(
        ['glue:catalog', 'glue:database/*', 'glue:table/*', 'glue:userDefinedFunction/*'].map(each => [
          each,
          (
            'CreateDatabase GetDatabase GetDatabases UpdateDatabase DeleteDatabase CreateTable UpdateTable GetTable ' +
            'GetTables DeleteTable BatchDeleteTable BatchCreatePartition CreatePartition UpdatePartition GetPartition ' +
            'GetPartitions BatchGetPartition DeletePartition BatchDeletePartition'
          )
            .split(' ')
            .map(action => `glue:${action}`),
        ]),
      ),
      '*': ['lakeformation:GetDataAccess'],
    },
  },
  {
    name: 'a secret, a parameter and a message by SES',
    definition: tasks(
      ['aws-sdk:secretsmanager:getSecretValue', { SecretId: 'shop/key' }],
      ['aws-sdk:ssm:getParameter', { Name: '/shop/limit' }],
      ['aws-sdk:sesv2:sendEmail', { Content: {} }],
    ),
    needs: {
      'secretsmanager:secret:shop/key-??????': ['secretsmanager:GetSecretValue'],
      'ssm:parameter/shop/limit': ['ssm:GetParameter'],
      '*': ['ses:SendEmail'],
    },
  },
  {
    name: 'the Data API, which reads the secret as the caller',
    definition: tasks([
      'aws-sdk:rdsdata:executeStatement',
      {
        ResourceArn: 'arn:aws:rds:us-east-1:123456789012:cluster:shop',
        SecretArn: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:shop-AbCdEf',
        Sql: 'SELECT 1',
      },
    ]),
    needs: {
      'arn:aws:rds:us-east-1:123456789012:cluster:shop': ['rds-data:ExecuteStatement'],
      'arn:aws:secretsmanager:us-east-1:123456789012:secret:shop-AbCdEf': ['secretsmanager:GetSecretValue'],
    },
  },
  {
    name: 'another role, which does the work',
    definition: tasks([
      'dynamodb:getItem',
      { TableName: 'Theirs', Key: {} },
      { Credentials: { RoleArn: 'arn:aws:iam::999999999999:role/theirs' } },
    ]),
    needs: { 'arn:aws:iam::999999999999:role/theirs': ['sts:AssumeRole'] },
  },
  {
    name: 'branches and an inline Map: what is inside counts, the Map itself needs nothing',
    definition: {
      StartAt: 'Both',
      States: {
        Both: {
          Type: 'Parallel',
          Branches: [
            tasks(['lambda:invoke', { FunctionName: 'one' }]),
            {
              StartAt: 'Each',
              States: {
                Each: {
                  Type: 'Map',
                  ItemProcessor: tasks(['lambda:invoke', { FunctionName: 'two' }]),
                  End: true,
                },
              },
            },
          ],
          End: true,
        },
      },
    },
    needs: {
      'lambda:function:one': ['lambda:InvokeFunction'],
      'lambda:function:two': ['lambda:InvokeFunction'],
    },
  },
  {
    name: 'logs and traces',
    options: { logging: true, tracing: true },
    definition: tasks([validate]),
    needs: {
      [validate]: ['lambda:InvokeFunction'],
      '*': [
        'logs:CreateLogDelivery',
        'logs:GetLogDelivery',
        'logs:UpdateLogDelivery',
        'logs:DeleteLogDelivery',
        'logs:ListLogDeliveries',
        'logs:PutResourcePolicy',
        'logs:DescribeResourcePolicies',
        'logs:DescribeLogGroups',
        'xray:PutTraceSegments',
        'xray:PutTelemetryRecords',
        'xray:GetSamplingRules',
        'xray:GetSamplingTargets',
      ],
    },
  },
]
