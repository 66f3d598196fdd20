import { createHash } from 'node:crypto'
import type { RouteDeclaration } from '@stepwright/app'
import type { Deployment } from '../deployment.ts'
import { restStageName } from './api-kind.ts'
import { functionId } from './functions.ts'
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

type Routes = readonly (readonly [string, RouteDeclaration])[]

/** HTTP APIs do not stream: a REST API, whose tokens are those of a Cognito user pool. */
export function restApiResources(deployment: Deployment, routes: Routes): TemplateResources {
  const { app, stage, tags } = deployment
  const name = [app.name, ...(stage === undefined ? [] : [stage])].join('-')
  const methods = mergeResources(...routes.map(route => methodOf(...route)))
  const shape = createHash('sha256').update(JSON.stringify(methods)).digest('hex').slice(0, 8)
  // What is deployed is as it was when the deployment was made: another shape is another deployment.
  const deploymentId = `ApiDeployment${shape}`
  return {
    Api: {
      Type: 'AWS::ApiGateway::RestApi',
      Properties: { Name: name, EndpointConfiguration: { Types: ['REGIONAL'] }, Tags: toTags(tags) },
    },
    ...(routes.some(([, { authorized = true }]) => authorized) && {
      ApiAuthorizer: {
        Type: 'AWS::ApiGateway::Authorizer',
        Properties: {
          RestApiId: ref('Api'),
          Name: 'user-pool',
          Type: 'COGNITO_USER_POOLS',
          IdentitySource: 'method.request.header.Authorization',
          ProviderARNs: [ref('UserPoolArn')],
        },
      },
    }),
    ...pathResources(routes.map(([key]) => key.split(' ')[1] ?? '/')),
    ...methods,
    [deploymentId]: {
      Type: 'AWS::ApiGateway::Deployment',
      DependsOn: Object.keys(methods),
      Properties: { RestApiId: ref('Api') },
    },
    ApiStage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: {
        RestApiId: ref('Api'),
        DeploymentId: ref(deploymentId),
        StageName: restStageName(stage),
        TracingEnabled: true,
        MethodSettings: [
          {
            HttpMethod: '*',
            ResourcePath: '/*',
            MetricsEnabled: true,
            ThrottlingBurstLimit: 200,
            ThrottlingRateLimit: 100,
          },
        ],
        Tags: toTags(tags),
      },
    },
    ...Object.fromEntries(
      [...new Set(routes.map(([, route]) => route.function))].map(each => [
        `${functionId(each)}ApiPermission`,
        {
          Type: 'AWS::Lambda::Permission',
          Properties: {
            Action: 'lambda:InvokeFunction',
            FunctionName: getAtt(functionId(each), 'Arn'),
            Principal: 'apigateway.amazonaws.com',
            SourceArn: sub(
              `arn:\${AWS::Partition}:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${Api}/*/*`,
            ),
          },
        },
      ]),
    ),
  }
}

/** A resource for each part of each path, once. */
function pathResources(paths: readonly string[]): TemplateResources {
  const resources: Record<string, TemplateResource> = {}
  for (const path of paths) {
    const parts = path.split('/').filter(Boolean)
    for (const [index, part] of parts.entries()) {
      const id = pathId(parts.slice(0, index + 1))
      resources[id] = {
        Type: 'AWS::ApiGateway::Resource',
        Properties: {
          RestApiId: ref('Api'),
          ParentId: index === 0 ? getAtt('Api', 'RootResourceId') : ref(pathId(parts.slice(0, index))),
          PathPart: part,
        },
      }
    }
  }
  return resources
}

function pathId(parts: readonly string[]): string {
  return logicalId(...parts, 'Path')
}

function methodOf(
  key: string,
  { function: target, authorized = true, streaming = false }: RouteDeclaration,
): TemplateResources {
  const [method = '', path = ''] = key.split(' ')
  const parts = path.split('/').filter(Boolean)
  const [version, invocation] = streaming
    ? ['2021-11-15', 'response-streaming-invocations']
    : ['2015-03-31', 'invocations']
  return {
    [logicalId(key, 'Method')]: {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: ref('Api'),
        ResourceId: parts.length === 0 ? getAtt('Api', 'RootResourceId') : ref(pathId(parts)),
        HttpMethod: method,
        AuthorizationType: authorized ? 'COGNITO_USER_POOLS' : 'NONE',
        ...(authorized && { AuthorizerId: ref('ApiAuthorizer') }),
        Integration: {
          Type: 'AWS_PROXY',
          IntegrationHttpMethod: 'POST',
          Uri: sub(
            `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/${version}/functions/\${${functionId(target)}.Arn}/${invocation}`,
          ),
          ...(streaming && { ResponseTransferMode: 'STREAM', TimeoutInMillis: 900_000 }),
        },
      },
    },
  }
}
