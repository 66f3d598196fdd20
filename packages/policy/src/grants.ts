import type { BucketAccess, QueueAccess, TableAccess, WorkflowAccess } from '@stepwright/app'
import { arnOf, bucketArn, executionArn, queueNameOf, toArn, unqualified } from './arn.ts'
import type { NeededActions } from './needed-actions.ts'
import { allow, type Statement } from './statement.ts'

/** The actions of an access: those that it always gives, and those that it gives to tasks that say they need them. */
interface Access {
  readonly usual: readonly string[]
  readonly possible: readonly string[]
}

const objectAccess: Readonly<Record<'read' | 'write' | 'delete', Access>> = {
  read: { usual: ['s3:GetObject'], possible: ['s3:GetObject', 's3:GetObjectTagging', 's3:GetObjectVersion'] },
  write: {
    usual: ['s3:AbortMultipartUpload', 's3:PutObject'],
    possible: ['s3:AbortMultipartUpload', 's3:PutObject', 's3:PutObjectTagging'],
  },
  delete: { usual: ['s3:DeleteObject'], possible: ['s3:DeleteObject', 's3:DeleteObjectVersion'] },
}

const tableAccess: Readonly<Record<TableAccess, Access>> = {
  read: {
    usual: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'],
    possible: [
      'dynamodb:BatchGetItem',
      'dynamodb:ConditionCheckItem',
      'dynamodb:GetItem',
      'dynamodb:PartiQLSelect',
      'dynamodb:Query',
      'dynamodb:Scan',
    ],
  },
  append: { usual: ['dynamodb:PartiQLInsert'], possible: ['dynamodb:PartiQLInsert'] },
  write: {
    usual: ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    possible: [
      'dynamodb:BatchWriteItem',
      'dynamodb:DeleteItem',
      'dynamodb:PartiQLDelete',
      'dynamodb:PartiQLInsert',
      'dynamodb:PartiQLUpdate',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
    ],
  },
}

/** Within what is granted: what the task says it needs, and what is usual unless it says all. */
function actionsOf({ usual, possible }: Access, { actions, complete }: NeededActions): readonly string[] {
  const said = possible.filter(action => actions.has(action))
  return complete && said.length > 0 ? said : [...usual, ...said]
}

/** Without a listing S3 does not tell a missing object from a forbidden one. */
export function onBucket(
  name: string,
  may: readonly BucketAccess[],
  needed: NeededActions,
): readonly Statement[] {
  const arn = bucketArn(name)
  const objects = may.map(access => {
    const [level = 'read', pattern = '*'] = access.split(' ') as ['read' | 'write' | 'delete', string?]
    return allow(sidOfAccess[level], actionsOf(objectAccess[level], needed), [`${arn}/${pattern}`])
  })
  const reads = may.some(access => access.startsWith('read'))
  return [...objects, ...(reads ? [allow('TellMissingFromForbidden', ['s3:ListBucket'], [arn])] : [])]
}

const sidOfAccess = { read: 'ReadObjects', write: 'WriteObjects', delete: 'DeleteObjects' } as const

export function onTable(
  name: string,
  indexes: readonly string[],
  may: readonly TableAccess[],
  needed: NeededActions,
): readonly Statement[] {
  const arn = toArn(name, 'dynamodb', 'table/')
  const sids = { read: 'ReadItems', append: 'AppendItems', write: 'WriteItems' } as const
  return may.map(level =>
    allow(
      sids[level],
      actionsOf(tableAccess[level], needed),
      level === 'read' ? [arn, ...indexes.map(index => `${arn}/index/${index}`)] : [arn],
    ),
  )
}

/** What Lambda calls to read the stream of a table, which can be any that the table has. */
export function onStream(tableName: string): Statement {
  const actions = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator']
  return allow('ReadStreams', actions, [`${toArn(tableName, 'dynamodb', 'table/')}/stream/*`])
}

export function onQueue(url: string, may: readonly QueueAccess[]): readonly Statement[] {
  const arn = arnOf('sqs', queueNameOf(url))
  const actions = {
    send: ['sqs:SendMessage'],
    receive: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
  } as const
  return may.map(level => allow(level === 'send' ? 'SendMessages' : 'ReceiveMessages', actions[level], [arn]))
}

export function onWorkflow(stateMachineArn: string, may: readonly WorkflowAccess[]): readonly Statement[] {
  const executions = executionArn(stateMachineArn, ':*')
  const statements: Readonly<Record<WorkflowAccess, Statement>> = {
    start: allow('StartExecutions', ['states:StartExecution'], [stateMachineArn]),
    stop: allow('StopExecutions', ['states:StopExecution'], [executions]),
    describe: allow('DescribeExecutions', ['states:DescribeExecution'], [executions]),
    redrive: allow('RedriveExecutions', ['states:RedriveExecution'], [executions]),
    answer: allow(
      'AnswerTasks',
      ['states:SendTaskFailure', 'states:SendTaskHeartbeat', 'states:SendTaskSuccess'],
      [unqualified(stateMachineArn)],
    ),
  }
  return may.map(level => statements[level])
}

/** A message is sent from an identity, with a set: SES asks for both. */
export function onConfigurationSet(name: string): readonly Statement[] {
  return [
    allow(
      'SendMail',
      ['ses:SendEmail'],
      [arnOf('ses', 'identity/*'), arnOf('ses', `configuration-set/${name}`)],
    ),
  ]
}
