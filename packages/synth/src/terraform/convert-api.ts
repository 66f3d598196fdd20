import { createHash } from 'node:crypto'
import { block, type Convert } from './convert.ts'

export const apiConverters: Readonly<Record<string, Convert>> = {
  'AWS::ApiGatewayV2::Api': (_id, given, { tags }) => ({
    aws_apigatewayv2_api: { name: given.Name, protocol_type: given.ProtocolType, tags },
  }),
  'AWS::ApiGatewayV2::Authorizer': (_id, given, { value }) => ({
    aws_apigatewayv2_authorizer: {
      api_id: value(given.ApiId),
      name: given.Name,
      authorizer_type: given.AuthorizerType,
      identity_sources: given.IdentitySource,
      jwt_configuration: {
        issuer: value(given.JwtConfiguration.Issuer),
        audience: value(given.JwtConfiguration.Audience),
      },
    },
  }),
  'AWS::ApiGatewayV2::Stage': (_id, given, { value, tags }) => ({
    aws_apigatewayv2_stage: {
      api_id: value(given.ApiId),
      name: given.StageName,
      auto_deploy: given.AutoDeploy,
      access_log_settings: {
        destination_arn: value(given.AccessLogSettings.DestinationArn),
        format: value(given.AccessLogSettings.Format),
      },
      default_route_settings: {
        throttling_burst_limit: given.DefaultRouteSettings.ThrottlingBurstLimit,
        throttling_rate_limit: given.DefaultRouteSettings.ThrottlingRateLimit,
      },
      tags,
    },
  }),
  'AWS::ApiGatewayV2::Integration': (_id, given, { value }) => ({
    aws_apigatewayv2_integration: {
      api_id: value(given.ApiId),
      integration_type: given.IntegrationType,
      integration_uri: value(given.IntegrationUri),
      payload_format_version: given.PayloadFormatVersion,
    },
  }),
  'AWS::ApiGatewayV2::Route': (_id, given, { value }) => ({
    aws_apigatewayv2_route: block({
      api_id: value(given.ApiId),
      route_key: given.RouteKey,
      target: value(given.Target),
      authorization_type: given.AuthorizationType,
      authorizer_id: value(given.AuthorizerId),
    }),
  }),
  'AWS::ApiGateway::RestApi': (_id, given, { tags }) => ({
    aws_api_gateway_rest_api: {
      name: given.Name,
      endpoint_configuration: { types: given.EndpointConfiguration.Types },
      tags,
    },
  }),
  'AWS::ApiGateway::Authorizer': (_id, given, { value }) => ({
    aws_api_gateway_authorizer: {
      rest_api_id: value(given.RestApiId),
      name: given.Name,
      type: given.Type,
      identity_source: given.IdentitySource,
      provider_arns: value(given.ProviderARNs),
    },
  }),
  'AWS::ApiGateway::Resource': (_id, given, { value }) => ({
    aws_api_gateway_resource: {
      rest_api_id: value(given.RestApiId),
      parent_id: value(given.ParentId),
      path_part: given.PathPart,
    },
  }),
  'AWS::ApiGateway::Method': (id, given, { value }) => {
    const { Integration: integration } = given
    const place = { rest_api_id: value(given.RestApiId), resource_id: value(given.ResourceId) }
    return {
      aws_api_gateway_method: block({
        ...place,
        http_method: given.HttpMethod,
        authorization: given.AuthorizationType,
        authorizer_id: value(given.AuthorizerId),
      }),
      aws_api_gateway_integration: block({
        ...place,
        http_method: `\${aws_api_gateway_method.${id}.http_method}`,
        type: integration.Type,
        integration_http_method: integration.IntegrationHttpMethod,
        uri: value(integration.Uri),
        response_transfer_mode: integration.ResponseTransferMode,
        timeout_milliseconds: integration.TimeoutInMillis,
      }),
    }
  },
  'AWS::ApiGateway::Deployment': (id, given, { value, methodIds }) => ({
    aws_api_gateway_deployment: {
      rest_api_id: value(given.RestApiId),
      // Its id says what shape the API has.
      triggers: { shape: createHash('sha256').update(id).digest('hex').slice(0, 16) },
      lifecycle: { create_before_destroy: true },
      depends_on: methodIds.map(method => `aws_api_gateway_integration.${method}`),
    },
  }),
  'AWS::ApiGateway::Stage': (id, given, { value, tags }) => {
    const [settings] = given.MethodSettings
    return {
      aws_api_gateway_stage: {
        rest_api_id: value(given.RestApiId),
        deployment_id: value(given.DeploymentId),
        stage_name: given.StageName,
        xray_tracing_enabled: given.TracingEnabled,
        tags,
      },
      aws_api_gateway_method_settings: {
        rest_api_id: value(given.RestApiId),
        stage_name: `\${aws_api_gateway_stage.${id}.stage_name}`,
        method_path: '*/*',
        settings: {
          metrics_enabled: settings.MetricsEnabled,
          throttling_burst_limit: settings.ThrottlingBurstLimit,
          throttling_rate_limit: settings.ThrottlingRateLimit,
        },
      },
    }
  },
}
