/** Optimised integrations name errors as version 1 of AWS's Java SDK does. */
const optimised: Readonly<Record<string, string>> = {
  dynamodb: 'DynamoDB',
  ecs: 'ECS',
  eks: 'EKS',
  events: 'EventBridge',
  sagemaker: 'SageMaker',
  sns: 'SNS',
  sqs: 'SQS',
  states: 'StepFunctions',
}
/** SDK integrations name them as version 2 does. */
const sdk: Readonly<Record<string, string>> = {
  dynamodb: 'DynamoDb',
  eventbridge: 'EventBridge',
  sagemaker: 'SageMaker',
  secretsmanager: 'SecretsManager',
  sesv2: 'SesV2',
}

/** What the names of a service's errors begin with: `dynamodb` is `DynamoDB`, but `aws-sdk:dynamodb` is `DynamoDb`. */
export function serviceName(service: string): string {
  const isSdk = service.startsWith('aws-sdk:')
  const name = isSdk ? service.slice('aws-sdk:'.length) : service
  return (isSdk ? sdk : optimised)[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}`
}
