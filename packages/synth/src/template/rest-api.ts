import { createHash } from 'node:crypto'
import type { RouteDeclaration } from '@stepwright/app'
import type { Deployment } from '../deployment.ts'
import { restStageName } from './api-kind.ts'
import { functionId } from './functions.ts'
import { mergeResources } from './merge-resources.ts'
import { partsOf, pathId, routeId } from './route-ids.ts'
import { getAtt, ref, sub, type TemplateResources, toTags } from './template.ts'

type Routes = readonly (readonly [string, RouteDeclaration])[]

/** HTTP APIs do not stream: a REST API, whose tokens are those of a Cognito user pool. */
export function restApiResources(deployment: Deployment, routes: Routes): TemplateResources {
  const { app, stage, tags } = deployment
  const name = [app.name, ...(stage === undefined ? [] : [stage])].join('-')
  const content = mergeResources(
    routes.some(([, { authorized = true }]) => authorized) ? authorizer : {},
    pathResources(routes.map(([key]) => key.split(' ')[1] ?? '/')),
    ...routes.map(route => methodOf(...route)),
  )
  const shape = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 8)
  // A deployment is a snapshot of the paths, methods and the authorizer: changed content needs a new one.
  const deploymentId = `ApiDeployment${shape}`
  return {
    Api: {
      Type: 'AWS::ApiGateway::RestApi',
      Properties: { Name: name, EndpointConfiguration: { Types: ['REGIONAL'] }, Tags: toTags(tags) },
    },
    ...content,
    [deploymentId]: {
      Type: 'AWS::ApiGateway::Deployment',
      DependsOn: Object.keys(content),
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

const authorizer: TemplateResources = {
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
}

/** A resource for each part of each path, once. */
function pathResources(paths: readonly string[]): TemplateResources {
  const prefixes = paths.flatMap(path => partsOf(path).map((_, index, parts) => parts.slice(0, index + 1)))
  const unique = new Map(prefixes.map(parts => [parts.join('/'), parts]))
  assertNoSiblingVariables([...unique.keys()])
  return mergeResources(
    ...[...unique.values()].map(parts => ({
      [pathId(parts, 'Path')]: {
        Type: 'AWS::ApiGateway::Resource',
        Properties: {
          RestApiId: ref('Api'),
          ParentId: resourceOf(parts.slice(0, -1)),
          PathPart: parts.at(-1),
        },
      },
    })),
  )
}

function resourceOf(parts: readonly string[]): object {
  return parts.length === 0 ? getAtt('Api', 'RootResourceId') : ref(pathId(parts, 'Path'))
}

/** @throws TypeError for `/users/{id}` beside `/users/{name}`, which REST APIs reject whatever the methods */
function assertNoSiblingVariables(paths: readonly string[]): void {
  const variables = new Map<string, string>()
  for (const path of paths.filter(each => each.endsWith('}'))) {
    const parent = path.slice(0, path.lastIndexOf('/') + 1)
    const sibling = variables.get(parent)
    if (sibling !== undefined)
      throw new TypeError(
        `the paths /${sibling} and /${path}: a REST API takes one variable in each place; give both the same name`,
      )
    variables.set(parent, path)
  }
}

function methodOf(
  key: string,
  { function: target, authorized = true, streaming = false }: RouteDeclaration,
): TemplateResources {
  const [method = '', path = ''] = key.split(' ')
  const [version, invocation] = streaming
    ? ['2021-11-15', 'response-streaming-invocations']
    : ['2015-03-31', 'invocations']
  return {
    [routeId(key, 'Method')]: {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: ref('Api'),
        ResourceId: resourceOf(partsOf(path)),
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
