import type { Deployment } from '../deployment.ts'
import { alarmResources } from './alarms.ts'
import { dashboardResource } from './dashboard.ts'
import { databaseResources } from './database.ts'
import { type CodeOf, functionResources } from './functions.ts'
import { glueResources, type ScriptOf } from './glue.ts'
import { httpApiResources, routesOf } from './http-api.ts'
import { restApiResources } from './rest-api.ts'
import { bucketId, storageResources } from './storage.ts'
import { ref, sub, type Template, type TemplateParameter, type TemplateResources } from './template.ts'
import { triggerResources } from './triggers.ts'
import { workflowId, workflowResources } from './workflows.ts'

/** The whole app as a template of CloudFormation. */
export function toCloudFormation(
  deployment: Deployment,
  codeOf: CodeOf,
  scriptOf: ScriptOf = name => sub(`s3://\${CodeBucket}/\${CodePrefix}${name}.py`),
): Template {
  const { app, stage, names } = deployment
  const api = apiOf(deployment)
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `${app.name}${stage === undefined ? '' : ` (${stage})`}, written by stepwright from its declaration`,
    Parameters: parametersOf(deployment, api),
    Conditions: { HasAlarmTopic: { 'Fn::Not': [{ 'Fn::Equals': [ref('AlarmTopicArn'), ''] }] } },
    Resources: {
      ...storageResources(deployment),
      ...databaseResources(deployment),
      ...functionResources(deployment, codeOf),
      ...workflowResources(deployment),
      ...glueResources(deployment, scriptOf),
      ...triggerResources(deployment),
      ...apiResources(deployment, api),
      ...alarmResources(deployment),
      Dashboard: dashboardResource(deployment),
    },
    Outputs: {
      ...Object.fromEntries(
        Object.keys(names.workflows).map(name => [
          `${workflowId(name)}Arn`,
          { Description: `The state machine ${name}`, Value: ref(workflowId(name)) },
        ]),
      ),
      ...Object.fromEntries(
        Object.keys(names.buckets).map(name => [
          `${bucketId(name)}Name`,
          { Description: `The bucket ${name}`, Value: ref(bucketId(name)) },
        ]),
      ),
      ...(app.database && {
        MigrationFunction: {
          Description: 'Brings the tables up to date: invoke it once after each deployment',
          Value: names.functions[app.database.migratedBy],
        },
      }),
      ...(api === 'http' && {
        ApiUrl: {
          Description: 'The API',
          Value: sub(`https://\${Api}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}`),
        },
      }),
      ...(api === 'rest' && {
        ApiUrl: {
          Description: 'The API',
          Value: sub(`https://\${Api}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/${stage ?? 'live'}`),
        },
      }),
    },
  }
}

type Api = 'http' | 'rest' | undefined

function apiOf(deployment: Deployment): Api {
  const routes = routesOf(deployment)
  if (routes.length === 0) return undefined
  return routes.some(([, { streaming }]) => streaming) ? 'rest' : 'http'
}

function apiResources(deployment: Deployment, api: Api): TemplateResources {
  if (api === undefined) return {}
  const routes = routesOf(deployment)
  return api === 'rest' ? restApiResources(deployment, routes) : httpApiResources(deployment, routes)
}

function parametersOf(deployment: Deployment, api: Api): Readonly<Record<string, TemplateParameter>> {
  const authorized = routesOf(deployment).some(([, route]) => route.authorized ?? true)
  return {
    CodeBucket: { Type: 'String', Description: 'The bucket with the functions’ code' },
    CodePrefix: { Type: 'String', Description: 'What the keys of the code begin with', Default: '' },
    AlarmTopicArn: { Type: 'String', Description: 'The SNS topic that hears of alarms', Default: '' },
    ...(deployment.database === 'aurora' && {
      VpcId: { Type: 'AWS::EC2::VPC::Id', Description: 'Where the database and the functions are' },
      SubnetIds: {
        Type: 'List<AWS::EC2::Subnet::Id>',
        Description: 'Private subnets in two zones or more, with a way to AWS’s APIs',
      },
    }),
    ...(api === 'http' &&
      authorized && {
        JwtIssuer: { Type: 'String', Description: 'Who issues the tokens: https://…' },
        JwtAudience: { Type: 'String', Description: 'Whom the tokens are for' },
      }),
    ...(api === 'rest' &&
      authorized && {
        UserPoolArn: { Type: 'String', Description: 'The Cognito user pool that issues the tokens' },
      }),
  }
}
