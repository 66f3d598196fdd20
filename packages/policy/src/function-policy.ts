import type { App, EnvironmentValue, FunctionDeclaration, Places } from '@stepwright/app'
import { arnOf, queueNameOf } from './arn.ts'
import { onBucket, onConfigurationSet, onQueue, onStream, onTable, onWorkflow } from './grants.ts'
import { indexesOf } from './indexes-of.ts'
import { type NeededActions, neededActions } from './needed-actions.ts'
import { allow, type PolicyDocument, type Statement, toDocument } from './statement.ts'

export interface FunctionPolicyOptions {
  readonly places: Places
  /** What its log group is called. @default '/aws/lambda/' and the function's name */
  readonly logGroup?: string
  /** Whether it is in a VPC. @default false */
  readonly vpc?: boolean
  /** As whom it signs in to the database by IAM: `arn:…:rds-db:…:dbuser:prx-…/app`. @default by a password */
  readonly databaseUserArn?: string
  /** Whether X-Ray follows it. @default false */
  readonly tracing?: boolean
  /** The URL of the queue for events that it failed on. @default none */
  readonly deadLetterQueueUrl?: string
}

const networkInterfaces = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
]

/** What the role of a function must be allowed to do, and no more: from its grants, and what its task says it needs. */
export function functionPolicy(
  app: App,
  functionName: string,
  { places, logGroup, vpc = false, tracing = false, ...options }: FunctionPolicyOptions,
): PolicyDocument {
  const declared: FunctionDeclaration | undefined = app.functions[functionName]
  if (declared === undefined) throw new TypeError(`there is no function ${functionName}`)
  const { deadLetterQueueUrl, databaseUserArn } = options
  const { environment = {}, permissions = [], task } = declared
  const needed = neededActions(task)
  const arn = places.functionArn(functionName)
  const logs = logGroup ?? `/aws/lambda/${arn.split(':').at(-1)}`
  return toDocument([
    ...Object.values(environment).flatMap(value => statementsOf(app, value, places, needed)),
    ...queuesOf(app, functionName).flatMap(queue => onQueue(places.queueUrl(queue), ['receive'])),
    ...streamsOf(app, functionName).map(table => onStream(places.tableName(table))),
    ...(databaseUserArn === undefined || !usesDatabase(app, functionName)
      ? []
      : [allow('SignInToTheDatabase', ['rds-db:connect'], [databaseUserArn])]),
    ...permissions.map(({ actions, resources }) => allow(sidOf(actions), actions, resources)),
    allow('WriteLogs', ['logs:CreateLogStream', 'logs:PutLogEvents'], [arnOf('logs', `log-group:${logs}:*`)]),
    ...(vpc ? [allow('JoinTheNetwork', networkInterfaces, ['*'])] : []),
    ...(tracing ? [allow('SendTraces', ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], ['*'])] : []),
    ...(deadLetterQueueUrl === undefined
      ? []
      : [allow('KeepFailedEvents', ['sqs:SendMessage'], [arnOf('sqs', queueNameOf(deadLetterQueueUrl))])]),
  ])
}

/** Whether a function is given the database's URL. */
export function usesDatabase({ functions }: App, name: string): boolean {
  const declared: FunctionDeclaration | undefined = functions[name]
  return Object.values(declared?.environment ?? {}).some(
    value => typeof value === 'object' && 'database' in value,
  )
}

function statementsOf(
  app: App,
  value: EnvironmentValue,
  places: Places,
  needed: NeededActions,
): readonly Statement[] {
  if (typeof value !== 'object') return []
  if ('bucket' in value) return onBucket(places.bucketName(value.bucket), value.may, needed)
  if ('table' in value)
    return onTable(places.tableName(value.table), indexesOf(app, value.table), value.may, needed)
  if ('queue' in value) return onQueue(places.queueUrl(value.queue), value.may)
  if ('deadLettersOf' in value) return onQueue(places.deadLetterUrl(value.deadLettersOf), value.may)
  if ('workflow' in value) return onWorkflow(places.workflowArn(value.workflow), value.may)
  if ('function' in value)
    return [allow('InvokeFunctions', ['lambda:InvokeFunction'], [places.functionArn(value.function)])]
  if ('configurationSet' in value)
    return onConfigurationSet(places.configurationSetName(value.configurationSet))
  // Secrets and URLs are put in by the deployment: the function reads none of them itself.
  return []
}

/** The queues that call the function: Lambda polls them by the function's role. */
function queuesOf({ triggers = {} }: App, functionName: string): readonly string[] {
  return Object.values(triggers).flatMap(trigger =>
    'queue' in trigger && 'calls' in trigger && trigger.calls === functionName ? [trigger.queue] : [],
  )
}

/** The tables whose changes the function gets: Lambda reads their streams by the function's role. */
function streamsOf({ triggers = {} }: App, functionName: string): readonly string[] {
  return Object.values(triggers).flatMap(trigger =>
    'stream' in trigger && trigger.calls === functionName ? [trigger.stream] : [],
  )
}

/** `ses:SendEmail` → `SesSendEmail`. */
function sidOf(actions: readonly string[]): string {
  return (actions[0] ?? '')
    .split(/[^A-Za-z0-9]+/)
    .map(part => `${part[0]?.toUpperCase() ?? ''}${part.slice(1)}`)
    .join('')
}
