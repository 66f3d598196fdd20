import type { RouteDeclaration } from '@stepwright/app'
import type { Deployment } from '../deployment.ts'
import { functionId } from './functions.ts'
import { mergeResources } from './merge-resources.ts'
import { routeId } from './route-ids.ts'
import { getAtt, ref, sub, type TemplateResources, toTags } from './template.ts'

type Routes = readonly (readonly [string, RouteDeclaration])[]

export function routesOf({ app }: Deployment): Routes {
  return Object.entries<RouteDeclaration | undefined>(app.routes ?? {}).flatMap(([key, route]) =>
    route === undefined ? [] : [[key, route] as const],
  )
}

/** An HTTP API with a JWT authorizer; for apps that stream there is a REST API instead. */
export function httpApiResources(deployment: Deployment, routes: Routes): TemplateResources {
  const { app, stage, tags } = deployment
  const name = [app.name, ...(stage === undefined ? [] : [stage])].join('-')
  const functions = [...new Set(routes.map(([, route]) => route.function))]
  return {
    Api: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: name, ProtocolType: 'HTTP', Tags: tags },
    },
    ...(routes.some(([, { authorized = true }]) => authorized) && {
      ApiAuthorizer: {
        Type: 'AWS::ApiGatewayV2::Authorizer',
        Properties: {
          ApiId: ref('Api'),
          Name: 'jwt',
          AuthorizerType: 'JWT',
          IdentitySource: ['$request.header.Authorization'],
          JwtConfiguration: { Issuer: ref('JwtIssuer'), Audience: [ref('JwtAudience')] },
        },
      },
    }),
    ApiLogs: {
      Type: 'AWS::Logs::LogGroup',
      Properties: {
        LogGroupName: `/aws/vendedlogs/apis/${name}`,
        RetentionInDays: deployment.logRetentionDays,
        Tags: toTags(tags),
      },
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
    },
    ApiStage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: {
        ApiId: ref('Api'),
        StageName: '$default',
        AutoDeploy: true,
        AccessLogSettings: {
          DestinationArn: getAtt('ApiLogs', 'Arn'),
          Format: JSON.stringify({
            requestId: '$context.requestId',
            routeKey: '$context.routeKey',
            status: '$context.status',
            latency: '$context.responseLatency',
            error: '$context.integrationErrorMessage',
          }),
        },
        DefaultRouteSettings: { ThrottlingBurstLimit: 200, ThrottlingRateLimit: 100 },
        Tags: tags,
      },
    },
    ...Object.fromEntries(
      functions.flatMap(each => [
        [
          `${functionId(each)}Integration`,
          {
            Type: 'AWS::ApiGatewayV2::Integration',
            Properties: {
              ApiId: ref('Api'),
              IntegrationType: 'AWS_PROXY',
              IntegrationUri: getAtt(functionId(each), 'Arn'),
              PayloadFormatVersion: '2.0',
            },
          },
        ],
        [
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
        ],
      ]),
    ),
    ...mergeResources(
      ...routes.map(([key, { function: target, authorized = true }]) => ({
        [routeId(key, 'Route')]: {
          Type: 'AWS::ApiGatewayV2::Route',
          Properties: {
            ApiId: ref('Api'),
            RouteKey: key,
            Target: sub(`integrations/\${${functionId(target)}Integration}`),
            AuthorizationType: authorized ? 'JWT' : 'NONE',
            ...(authorized && { AuthorizerId: ref('ApiAuthorizer') }),
          },
        },
      })),
    ),
  }
}
