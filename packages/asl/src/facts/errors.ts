import { lambdaTransientNames } from '@stepwright/errors'

/** Every name that Step Functions itself raises or understands. */
export const reservedNames: ReadonlySet<string> = new Set([
  'States.ALL',
  'States.BranchFailed',
  'States.DataLimitExceeded',
  'States.ExceedToleratedFailureThreshold',
  'States.HeartbeatTimeout',
  'States.Http.Socket',
  'States.IntrinsicFailure',
  'States.ItemReaderFailed',
  'States.NoChoiceMatched',
  'States.ParameterPathFailure',
  'States.Permissions',
  'States.QueryEvaluationError',
  'States.ResultPathMatchFailure',
  'States.ResultWriterFailed',
  'States.Runtime',
  'States.TaskFailed',
  'States.Timeout',
])

export function isReserved(name: string): boolean {
  if (!name.startsWith('States.')) return false
  return reservedNames.has(name) || /^States\.Http\.StatusCode\.\d{3}$/.test(name)
}

/** Names that Lambda gives, whatever the function's code does. */
export const lambdaNames: readonly string[] = [
  ...lambdaTransientNames,
  'Lambda.Unknown',
  'Lambda.ResourceNotFoundException',
  'Lambda.ResourceNotReadyException',
  'Lambda.InvalidParameterValueException',
  'Lambda.InvalidRequestContentException',
  'Lambda.InvalidRuntimeException',
  'Lambda.InvalidZipFileException',
  'Lambda.KMSAccessDeniedException',
  'Lambda.EC2ThrottledException',
  'Lambda.EC2AccessDeniedException',
  'Lambda.EC2UnexpectedException',
  'Lambda.ENILimitReachedException',
  'Lambda.RequestTooLargeException',
  'Lambda.UnsupportedMediaTypeException',
  'Sandbox.Timedout',
  'Runtime.ExitError',
  'Runtime.ImportModuleError',
  'Runtime.HandlerNotFound',
  'Runtime.UserCodeSyntaxError',
  'Runtime.MarshalError',
  'Runtime.JSONStringifyError',
  'Function.ResponseSizeTooLarge',
]

/** The prefix of a service's errors, where it is optimised for Step Functions. */
export const servicePrefixes: ReadonlyMap<string, string> = new Map([
  ['lambda', 'Lambda'],
  ['dynamodb', 'DynamoDB'],
  ['ecs', 'ECS'],
  ['sns', 'SNS'],
  ['sqs', 'SQS'],
  ['glue', 'Glue'],
  ['batch', 'Batch'],
  ['sagemaker', 'SageMaker'],
  ['athena', 'Athena'],
  ['states', 'StepFunctions'],
  ['codebuild', 'CodeBuild'],
  ['eks', 'EKS'],
  ['events', 'EventBridge'],
])

/** The same services as the AWS SDK integration names them. */
export const sdkPrefixes: ReadonlyMap<string, string> = new Map([
  ['lambda', 'Lambda'],
  ['dynamodb', 'DynamoDb'],
  ['ecs', 'Ecs'],
  ['sns', 'Sns'],
  ['sqs', 'Sqs'],
  ['glue', 'Glue'],
  ['batch', 'Batch'],
  ['athena', 'Athena'],
  ['sfn', 'Sfn'],
  ['s3', 'S3'],
  ['secretsmanager', 'SecretsManager'],
  ['organizations', 'Organizations'],
  ['eventbridge', 'EventBridge'],
])

/** Who raised an error: what a Task called, or the state itself. */
export type RaisedBy = 'task' | 'state'

/**
 * Whether `ErrorEquals: [pattern]` takes an error of the name. States.ALL takes neither States.Runtime nor
 * States.DataLimitExceeded, and States.TaskFailed not States.Timeout either (developer guide, "Handling errors").
 * Recordings show one exception to the guide: States.ALL does take the DataLimitExceeded of a task whose result is too large.
 */
export function matchesError(pattern: string, name: string, raisedBy: RaisedBy = 'state'): boolean {
  if (name === 'States.Runtime') return false
  if (pattern === name) return true
  const wildcard = pattern === 'States.ALL' || pattern === 'States.TaskFailed'
  if (!wildcard || name === 'States.ALL') return false
  if (name === 'States.DataLimitExceeded' && raisedBy === 'state') return false
  return pattern === 'States.ALL' || !timeouts.has(name)
}

const timeouts: ReadonlySet<string> = new Set(['States.Timeout', 'States.HeartbeatTimeout'])
