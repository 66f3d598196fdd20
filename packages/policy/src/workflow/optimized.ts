import { arnOf, executionArn, toArn } from '../arn.ts'
import { allow, type Statement } from '../statement.ts'
import { type Call, waits } from './call.ts'
import { hearOf, passRole } from './event-rules.ts'
import { lambdaStatements } from './lambda.ts'
import { sdkStatements } from './sdk.ts'
import { athena, emr, emrContainers, emrServerless } from './services/analytics.ts'
import { codebuild, ecs, eks } from './services/compute.ts'
import { apiArn, http } from './services/http.ts'
import { bedrock, sagemaker } from './services/models.ts'

type Derive = (call: Call) => readonly Statement[]

/**
 * What each optimized integration needs (developer guide, "Service authorization"): of a request, and besides of
 * waiting for the end.
 */
const services: Readonly<Record<string, Derive>> = {
  apigateway: call => [allow('CallApis', ['execute-api:Invoke'], [apiArn(call)])],
  athena: athena,
  batch: call =>
    waits(call)
      ? [
          allow('RunBatchJobs', ['batch:SubmitJob', 'batch:DescribeJobs', 'batch:TerminateJob'], ['*']),
          hearOf('StepFunctionsGetEventsForBatchJobsRule'),
        ]
      : [allow('RunBatchJobs', ['batch:SubmitJob'], ['*'])],
  bedrock: bedrock,
  codebuild: codebuild,
  databrew: call => [
    allow(
      'RunDataBrewJobs',
      ['databrew:startJobRun', ...(waits(call) ? ['databrew:listJobRuns', 'databrew:stopJobRun'] : [])],
      [toArn(call.text('Name') ?? '*', 'databrew', 'job/')],
    ),
  ],
  dynamodb: sdkStatements,
  ecs: ecs,
  eks: eks,
  elasticmapreduce: emr,
  'emr-containers': emrContainers,
  'emr-serverless': emrServerless,
  events: sdkStatements,
  glue: call => {
    const job = toArn(call.text('JobName') ?? '*', 'glue', 'job/')
    const follow = ['glue:GetJobRun', 'glue:GetJobRuns', 'glue:BatchStopJobRun']
    return [allow('RunGlueJobs', ['glue:StartJobRun', ...(waits(call) ? follow : [])], [job])]
  },
  http: http,
  lambda: call => lambdaStatements(call.text('FunctionName'), call.text('Qualifier')),
  mediaconvert: call => {
    const place = (kind: string, name: string | undefined) => toArn(name ?? '*', 'mediaconvert', `${kind}/`)
    return [
      allow(
        'ConvertMedia',
        ['mediaconvert:CreateJob'],
        [
          place('queues', call.text('Queue')),
          place('jobTemplates', call.text('JobTemplate') ?? '*'),
          place('presets', '*'),
        ],
      ),
      ...passRole(call.text('Role'), 'mediaconvert.amazonaws.com'),
      ...(waits(call)
        ? [
            allow(
              'FollowMediaJobs',
              ['mediaconvert:GetJob', 'mediaconvert:CancelJob'],
              [arnOf('mediaconvert', 'jobs/*')],
            ),
            hearOf('StepFunctionsGetEventsForMediaConvertJobRule'),
          ]
        : []),
    ]
  },
  sagemaker: sagemaker,
  sns: sdkStatements,
  sqs: sdkStatements,
  states: call => {
    const machine = toArn(call.text('StateMachineArn') ?? '*', 'states', 'stateMachine:')
    return [
      allow('StartExecutions', ['states:StartExecution'], [machine]),
      ...(waits(call)
        ? [
            allow(
              'FollowExecutions',
              ['states:DescribeExecution', 'states:StopExecution'],
              [executionArn(machine, ':*')],
            ),
            hearOf('StepFunctionsGetEventsForStepFunctionsExecutionRule'),
          ]
        : []),
    ]
  },
}

/** What an optimized integration needs; undefined for one that is not known. */
export function optimizedStatements(call: Call): readonly Statement[] | undefined {
  return Object.hasOwn(services, call.service) ? services[call.service]?.(call) : undefined
}
