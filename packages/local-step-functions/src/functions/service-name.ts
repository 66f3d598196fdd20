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

/** What the names of a service's errors begin with: `dynamodb` is `DynamoDB`, but `aws-sdk:dynamodb` is `DynamoDb`. */
export function serviceName(service: string): string {
  const sdk = service.startsWith('aws-sdk:') ? service.slice('aws-sdk:'.length) : undefined
  if (sdk === 'dynamodb') return 'DynamoDb'
  const name = sdk ?? service
  return (sdk === undefined ? optimised[name] : undefined) ?? `${name[0]?.toUpperCase()}${name.slice(1)}`
}
