/** What a kind of CloudFormation's is called by Terraform, and its attributes. */
export interface TerraformKind {
  readonly type: string
  /** What `Ref` gives. */
  readonly ref: string
  /** What `Fn::GetAtt` gives. */
  readonly attributes?: Readonly<Record<string, string>>
  /** Where something of another name has it. */
  readonly nameOf?: (id: string) => string
}

const arn = { Arn: 'arn' }

export const terraformKinds: Readonly<Record<string, TerraformKind>> = {
  'AWS::ApiGateway::Authorizer': { type: 'aws_api_gateway_authorizer', ref: 'id' },
  'AWS::ApiGateway::Deployment': { type: 'aws_api_gateway_deployment', ref: 'id' },
  'AWS::ApiGateway::Resource': { type: 'aws_api_gateway_resource', ref: 'id' },
  'AWS::ApiGateway::RestApi': {
    type: 'aws_api_gateway_rest_api',
    ref: 'id',
    attributes: { RootResourceId: 'root_resource_id' },
  },
  'AWS::ApiGatewayV2::Api': { type: 'aws_apigatewayv2_api', ref: 'id' },
  'AWS::ApiGatewayV2::Authorizer': { type: 'aws_apigatewayv2_authorizer', ref: 'id' },
  'AWS::ApiGatewayV2::Integration': { type: 'aws_apigatewayv2_integration', ref: 'id' },
  'AWS::CloudWatch::Alarm': { type: 'aws_cloudwatch_metric_alarm', ref: 'alarm_name', attributes: arn },
  'AWS::DynamoDB::Table': { type: 'aws_dynamodb_table', ref: 'name', attributes: arn },
  'AWS::EC2::SecurityGroup': { type: 'aws_security_group', ref: 'id', attributes: { GroupId: 'id' } },
  'AWS::Events::Rule': { type: 'aws_cloudwatch_event_rule', ref: 'name', attributes: arn },
  'AWS::IAM::Role': { type: 'aws_iam_role', ref: 'name', attributes: arn },
  'AWS::Lambda::Function': { type: 'aws_lambda_function', ref: 'function_name', attributes: arn },
  'AWS::Logs::LogGroup': { type: 'aws_cloudwatch_log_group', ref: 'name', attributes: arn },
  'AWS::RDS::DBCluster': {
    type: 'aws_rds_cluster',
    ref: 'id',
    attributes: { 'MasterUserSecret.SecretArn': 'master_user_secret[0].secret_arn' },
  },
  'AWS::RDS::DBProxy': {
    type: 'aws_db_proxy',
    ref: 'name',
    attributes: { Endpoint: 'endpoint', DBProxyArn: 'arn' },
  },
  'AWS::RDS::DBSubnetGroup': { type: 'aws_db_subnet_group', ref: 'name' },
  'AWS::S3::Bucket': { type: 'aws_s3_bucket', ref: 'bucket', attributes: arn },
  'AWS::SES::ConfigurationSet': { type: 'aws_sesv2_configuration_set', ref: 'configuration_set_name' },
  'AWS::SQS::Queue': { type: 'aws_sqs_queue', ref: 'id', attributes: arn },
  'AWS::StepFunctions::StateMachine': { type: 'aws_sfn_state_machine', ref: 'arn' },
  'AWS::StepFunctions::StateMachineAlias': { type: 'aws_sfn_alias', ref: 'arn' },
  'AWS::StepFunctions::StateMachineVersion': {
    type: 'aws_sfn_state_machine',
    ref: 'state_machine_version_arn',
    nameOf: id => id.replace(/Version$/, ''),
  },
}
