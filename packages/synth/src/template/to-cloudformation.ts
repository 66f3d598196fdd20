import { type Deployment, readsSecrets } from '../deployment.ts'
import { alarmResources } from './alarms.ts'
import { apiKindOf } from './api-kind.ts'
import { dashboardResource } from './dashboard.ts'
import { databaseResources } from './database.ts'
import { type CodeOf, functionResources } from './functions.ts'
import { glueResources, type ScriptOf } from './glue.ts'
import { httpApiResources, routesOf } from './http-api.ts'
import { mailResources } from './mail.ts'
import { mergeResources } from './merge-resources.ts'
import { networkResources, postgresPort } from './network.ts'
import { restApiResources } from './rest-api.ts'
import { bucketId, storageResources } from './storage.ts'
import {
  getAtt,
  ref,
  sub,
  type Template,
  type TemplateParameter,
  type TemplateResources,
} from './template.ts'
import { triggerResources } from './triggers.ts'
import { workflowId, workflowResources } from './workflows.ts'

/** The whole app as a template of CloudFormation. */
export function toCloudFormation(
  deployment: Deployment,
  codeOf: CodeOf,
  scriptOf: ScriptOf = name => sub(`s3://\${CodeBucket}/\${CodePrefix}${name}-script.py`),
): Template {
  const { app, stage, names, places, inVpc } = deployment
  const api = apiKindOf(app)
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `${app.name}${stage === undefined ? '' : ` (${stage})`}, written by stepwright from its declaration`,
    Parameters: parametersOf(deployment, api),
    ...(hasAlarms(deployment) && {
      Conditions: { HasAlarmTopic: { 'Fn::Not': [{ 'Fn::Equals': [ref('AlarmTopicArn'), ''] }] } },
    }),
    Resources: mergeResources(
      storageResources(deployment),
      networkResources(deployment),
      databaseResources(deployment),
      functionResources(deployment, codeOf),
      workflowResources(deployment),
      glueResources(deployment, scriptOf),
      mailResources(deployment),
      triggerResources(deployment),
      apiResources(deployment, api),
      alarmResources(deployment),
      { Dashboard: dashboardResource(deployment) },
    ),
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
      ...(api !== undefined && {
        ApiUrl: { Description: 'The API', Value: sub(places.apiUrl()) },
      }),
      ...(inVpc && {
        FunctionsSecurityGroupId: {
          Description: 'The security group of the functions: a database that exists must let it in',
          Value: getAtt('FunctionsSecurityGroup', 'GroupId'),
        },
      }),
    },
  }
}

function apiResources(deployment: Deployment, api: ReturnType<typeof apiKindOf>): TemplateResources {
  if (api === undefined) return {}
  const routes = routesOf(deployment)
  return api === 'rest' ? restApiResources(deployment, routes) : httpApiResources(deployment, routes)
}

function hasAlarms(deployment: Deployment): boolean {
  return Object.keys(alarmResources(deployment)).length > 0
}

function parametersOf(
  deployment: Deployment,
  api: ReturnType<typeof apiKindOf>,
): Readonly<Record<string, TemplateParameter>> {
  const { app, database } = deployment
  const authorized = routesOf(deployment).some(([, route]) => route.authorized ?? true)
  return {
    CodeBucket: { Type: 'String', Description: 'The bucket with the functions’ code' },
    CodePrefix: { Type: 'String', Description: 'What the keys of the code begin with', Default: '' },
    ...(hasAlarms(deployment) && {
      AlarmTopicArn: { Type: 'String', Description: 'The SNS topic that hears of alarms', Default: '' },
    }),
    ...(Object.keys(app.functions).some(name => readsSecrets(app, name, database)) && {
      ConfigRevision: {
        Type: 'String',
        Description: 'Functions read the values of secrets anew when it changes',
        Default: '1',
      },
    }),
    ...(deployment.keepData &&
      (database === 'aurora' || Object.keys(deployment.names.tables).length > 0) && {
        ProtectData: {
          Type: 'String',
          Description: 'true once the first deployment has succeeded: tables and database cannot be deleted',
          Default: 'false',
          AllowedValues: ['true', 'false'],
        },
      }),
    ...(deployment.inVpc && {
      VpcId: { Type: 'AWS::EC2::VPC::Id', Description: 'Where the database and the functions are' },
      SubnetIds: {
        Type: 'List<AWS::EC2::Subnet::Id>',
        Description: 'Private subnets in two zones or more, with a way to AWS’s APIs',
      },
    }),
    ...(deployment.inVpc &&
      database === 'existing' && {
        DatabasePort: {
          Type: 'Number',
          Description: 'The port of the database, which the functions may reach',
          Default: String(postgresPort),
        },
      }),
    ...(database === 'aurora' && {
      ProxySuffix: {
        Type: 'String',
        Description: 'The end of the proxy’s name, as -b: change it together with SubnetIds',
        Default: '',
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
