import { arnOf, executionArn, isArn, queueNameOf, toArn } from '../arn.ts'
import { allow, type Statement } from '../statement.ts'
import { type Call, pascal } from './call.ts'
import { lambdaStatements } from './lambda.ts'
import { modelArn } from './model-arn.ts'
import { s3Statements } from './s3.ts'
import { iamPrefixOf } from './sdk-prefixes.ts'
import { tableStatements } from './tables.ts'

/** What an SDK integration needs: its action, on what its parameters name, or on everything where that is not known. */
export function sdkStatements(call: Call): readonly Statement[] {
  const service = call.service.replace(/^aws-sdk:/, '')
  const { action } = call
  if (service === 's3') return s3Statements(call)
  if (service === 'dynamodb') return tableStatements(call)
  if (service === 'lambda' && action === 'invoke')
    return lambdaStatements(call.text('FunctionName'), call.text('Qualifier'))
  if (service === 'rdsdata') return dataApi(call)
  const verb = otherNames[`${service}:${action}`] ?? `${iamPrefixOf(service)}:${pascal(action)}`
  return [allow(sidOf(service), [verb], resourcesOf(service, call))]
}

/** Actions that IAM calls otherwise than the API does. */
const otherNames: Readonly<Record<string, string>> = {
  'bedrockruntime:converse': 'bedrock:InvokeModel',
  'bedrockruntime:invokeModel': 'bedrock:InvokeModel',
  'eventbridge:putEvents': 'events:PutEvents',
  'sesv2:sendBulkEmail': 'ses:SendBulkEmail',
  'sns:publishBatch': 'sns:Publish',
  'sqs:changeMessageVisibilityBatch': 'sqs:ChangeMessageVisibility',
  'sqs:deleteMessageBatch': 'sqs:DeleteMessage',
  'sqs:sendMessageBatch': 'sqs:SendMessage',
}

function sidOf(service: string): string {
  return `Call${service[0]?.toUpperCase()}${service.slice(1).replaceAll(/[^A-Za-z0-9]/g, '')}`
}

type ResourcesOf = (call: Call) => readonly (string | undefined)[]

/** By service, or by service and action: the resource that the parameters name. */
const resources: Readonly<Record<string, ResourcesOf>> = {
  athena: () => [arnOf('athena', 'workgroup/*')],
  bedrockruntime: call => [modelArn(call.text('ModelId'))],
  cloudwatch: () => ['*'],
  ecs: call => [named(call, 'Cluster', 'ecs', 'cluster/')],
  events: buses,
  eventbridge: call => (call.action === 'putEvents' ? buses(call) : ['*']),
  'glue:createTable': catalogue,
  'glue:getCrawler': call => [named(call, 'Name', 'glue', 'crawler/')],
  'glue:getJobRun': call => [named(call, 'JobName', 'glue', 'job/')],
  'glue:getPartitions': catalogue,
  'glue:getTable': catalogue,
  'glue:startCrawler': call => [named(call, 'Name', 'glue', 'crawler/')],
  'glue:startJobRun': call => [named(call, 'JobName', 'glue', 'job/')],
  'glue:stopCrawler': call => [named(call, 'Name', 'glue', 'crawler/')],
  'glue:updateTable': catalogue,
  kinesis: call => [call.text('StreamARN') ?? named(call, 'StreamName', 'kinesis', 'stream/')],
  firehose: call => [named(call, 'DeliveryStreamName', 'firehose', 'deliverystream/')],
  kms: call => [named(call, 'KeyId', 'kms', 'key/')],
  lambda: call => [named(call, 'FunctionName', 'lambda', 'function:')],
  sagemakerruntime: call => [named(call, 'EndpointName', 'sagemaker', 'endpoint/')],
  scheduler: call => [
    arnOf('scheduler', `schedule/${call.text('GroupName') ?? 'default'}/${call.text('Name') ?? '*'}`),
  ],
  secretsmanager: call => [secretArn(call.text('SecretId'))],
  sfn: call => [
    call.text('StateMachineArn') ??
      call.text('ExecutionArn')?.replace(/^\*$/, executionArn('', ':*')) ??
      call.text('ActivityArn') ??
      '*',
  ],
  sns: call => [call.text('TopicArn') ?? '*'],
  sqs: call => [queueArn(call.text('QueueUrl'))],
  ssm: parameters,
}

function resourcesOf(service: string, call: Call): readonly string[] {
  const find = resources[`${service}:${call.action}`] ?? resources[service]
  const found = find?.(call).filter(arn => arn !== undefined) ?? []
  return found.length === 0 ? ['*'] : found
}

function named(call: Call, field: string, service: string, prefix: string): string | undefined {
  const name = call.text(field)
  return name === undefined ? undefined : toArn(name, service, prefix)
}

/** An entry without a bus goes to the default one. */
function buses(call: Call): readonly string[] {
  const entries = call.value('Entries')
  if (!Array.isArray(entries)) return [arnOf('events', 'event-bus/*')]
  return entries.map(entry =>
    toArn(call.within(entry).text('EventBusName') ?? 'default', 'events', 'event-bus/'),
  )
}

function catalogue(call: Call): readonly string[] {
  const database = call.text('DatabaseName') ?? '*'
  const table = call.text('Name') ?? call.text('TableName') ?? '*'
  return ['catalog', `database/${database}`, `table/${database}/${table}`].map(each => arnOf('glue', each))
}

function queueArn(url = '*'): string {
  return isArn(url) ? url : arnOf('sqs', queueNameOf(url))
}

/** Secrets Manager adds six characters to a name. */
function secretArn(id = '*'): string {
  return isArn(id) ? id : arnOf('secretsmanager', id === '*' ? 'secret:*' : `secret:${id}-??????`)
}

function parameters(call: Call): readonly string[] {
  const names = call.value('Names')
  const path = call.text('Path')
  const all = Array.isArray(names) ? names.map(name => call.within(name).text() ?? '*') : [call.text('Name')]
  const given = path === undefined ? all.filter(name => name !== undefined) : [`${path}/*`]
  return (given.length === 0 ? ['*'] : given).map(name =>
    isArn(name) ? name : arnOf('ssm', `parameter/${name.replace(/^\//, '')}`),
  )
}

/** The Data API reads the secret of the database by the caller's own rights. */
function dataApi(call: Call): readonly Statement[] {
  const verb = `rds-data:${pascal(call.action)}`
  return [
    allow('QueryTheDatabase', [verb], [call.text('ResourceArn') ?? arnOf('rds', 'cluster:*')]),
    allow('ReadTheDatabasesSecret', ['secretsmanager:GetSecretValue'], [secretArn(call.text('SecretArn'))]),
  ]
}
