import type { App, Places } from '@stepwright/app'
import type { Statement } from '@stepwright/policy'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createLocalRoles } from './local-roles.ts'

const task = defineTask({ name: 'work', input: z.any(), output: z.any(), errors: [], run: () => null })
const module = 'src/handlers.ts'
const topic = 'arn:aws:sns:us-east-1:000000000000:news'
const app: App = {
  name: 'shop',
  root: new URL('.', import.meta.url),
  resources: {
    buckets: { uploads: {} },
    tables: { orders: { TableName: 'orders' } },
    queues: { work: {} },
  },
  functions: {
    Reads: {
      module,
      kind: 'call',
      export: 'a',
      task,
      environment: { B: { bucket: 'uploads', may: ['read in/*'] } },
    },
    AlsoReads: {
      module,
      kind: 'call',
      export: 'b',
      task,
      environment: { C: { bucket: 'uploads', may: ['read in/*'] } },
    },
    Writes: {
      module,
      kind: 'call',
      export: 'c',
      task,
      environment: {
        T: { table: 'orders', may: ['write'] },
        M: { workflow: 'ship', may: ['start', 'answer'] },
      },
    },
    Tells: {
      module,
      kind: 'call',
      export: 'd',
      task,
      environment: { Q: { queue: 'work', may: ['send'] } },
      permissions: [
        { actions: ['sns:Publish'], resources: [topic] },
        {
          actions: ['events:PutEvents'],
          resources: [`arn:\${AWS::Partition}:events:\${AWS::Region}:\${AWS::AccountId}:event-bus/default`],
        },
      ],
    },
  },
  workflows: { ship: { definition: 'ship.asl.json' } },
}

const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:shop-ship'
const places: Places = {
  functionArn: name => `arn:aws:lambda:us-east-1:000000000000:function:shop-${name}`,
  workflowArn: () => machine,
  bucketName: name => name,
  tableName: name => name,
  queueUrl: name => name,
  deadLetterUrl: name => name,
  glueJobName: name => name,
  secretValue: () => '',
  catalogDatabaseName: name => name,
  configurationSetName: name => name,
  databaseUrl: () => '',
  apiUrl: () => '',
}
const definitions = {
  ship: {
    StartAt: 'Each',
    States: {
      Each: {
        Type: 'Map',
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          StartAt: 'Read',
          States: { Read: { Type: 'Task', Resource: `\${Reads}`, End: true } },
        },
        End: true,
      },
    },
  },
}
const roles = createLocalRoles(app, places, definitions)
function keyOf(name: string): string {
  return roles.credentialsOf(name)?.accessKeyId ?? ''
}

describe('createLocalRoles', () => {
  it('gives functions that may do the same the same credentials, and others their own', () => {
    expect(keyOf('Reads')).toBe(keyOf('AlsoReads'))
    expect(keyOf('Reads')).not.toBe(keyOf('Writes'))
  })

  it('refuses in the words of AWS', () => {
    const { refusalOf } = roles.callers[keyOf('Reads')] ?? {}
    expect(refusalOf?.({ action: 's3:GetObject', bucket: 'uploads', key: 'in/a' })).toBeUndefined()
    expect(refusalOf?.({ action: 's3:GetObject', bucket: 'uploads', key: 'out/a' })).toBe(
      'User: arn:aws:sts::000000000000:assumed-role/shop-Reads/shop-Reads is not authorized to perform: s3:GetObject on resource: arn:aws:s3:::uploads/out/a because no identity-based policy allows the s3:GetObject action',
    )
  })

  it('knows what a request to DynamoDB or Step Functions needs', () => {
    const put = { TableName: 'orders', Item: {} }
    expect(roles.refusalOf(keyOf('Writes'), 'aws-sdk:dynamodb', 'PutItem', put)).toBeUndefined()
    expect(roles.refusalOf(keyOf('Writes'), 'aws-sdk:dynamodb', 'Scan', put)).toContain('dynamodb:Scan')
    expect(roles.refusalOf(keyOf('Reads'), 'aws-sdk:dynamodb', 'PutItem', put)).toContain('dynamodb:PutItem')
    const ask = (operation: string, input: Readonly<Record<string, unknown>>) =>
      roles.guard.ofRequest({ accessKeyId: keyOf('Writes'), operation, input })
    expect(ask('StartExecution', { stateMachineArn: machine })).toBeUndefined()
    expect(ask('StartExecution', { stateMachineArn: `${machine}-other` })).toContain('states:StartExecution')
    expect(ask('SendTaskSuccess', { taskToken: 'x' })).toBeUndefined()
    expect(ask('RedriveExecution', { executionArn: 'arn:aws:states:r:1:execution:x:y' })).toContain('Redrive')
  })

  it('knows what a request to SQS, SNS or EventBridge needs', () => {
    const ask = (service: string, operation: string, input: object) =>
      roles.refusalOf(keyOf('Tells'), `aws-sdk:${service}`, operation, input)
    const QueueUrl = 'http://127.0.0.1:4100/000000000000/work'
    expect(ask('sqs', 'SendMessage', { QueueUrl, MessageBody: '' })).toBeUndefined()
    expect(ask('sqs', 'SendMessageBatch', { QueueUrl, Entries: [] })).toBeUndefined()
    expect(ask('sqs', 'ReceiveMessage', { QueueUrl })).toContain('sqs:ReceiveMessage')
    expect(ask('sqs', 'SendMessage', { QueueUrl: `${QueueUrl}-other` })).toContain('sqs:SendMessage')
    expect(ask('sns', 'Publish', { TopicArn: topic })).toBeUndefined()
    expect(ask('sns', 'PublishBatch', { TopicArn: topic })).toBeUndefined()
    expect(ask('sns', 'Publish', { TopicArn: `${topic}s` })).toContain('sns:Publish')
    const entries = (EventBusName?: string) => ({ Entries: [{ ...(EventBusName && { EventBusName }) }] })
    expect(ask('eventbridge', 'PutEvents', entries())).toBeUndefined()
    expect(ask('eventbridge', 'PutEvents', entries('other'))).toContain('events:PutEvents')
    expect(ask('eventbridge', 'PutRule', { Name: 'r' })).toContain('events:PutRule')
  })

  it('lets whoever has no role do everything: the developer', () => {
    expect(
      roles.refusalOf('local', 'aws-sdk:dynamodb', 'DeleteTable', { TableName: 'orders' }),
    ).toBeUndefined()
  })

  it('asks the role of a state machine before it calls, and for the children of a Map', () => {
    const call = (service: string, action: string, parameters: object) =>
      roles.guard.ofMachine(machine, { service, action, pattern: 'request', parameters })
    expect(call('lambda', 'invoke', { FunctionName: places.functionArn('Reads') })).toBeUndefined()
    expect(call('lambda', 'invoke', { FunctionName: places.functionArn('Writes') })).toContain(
      'lambda:InvokeFunction',
    )
    const run = {
      mapRunArn: 'arn:aws:states:us-east-1:000000000000:mapRun:shop-ship/Each:1',
      redriveCount: 1,
    }
    expect(call('states', 'runChildren', run)).toBeUndefined()
  })

  it('asks anew each time, so that a right can be withheld', () => {
    let withheld: readonly Statement[] | undefined
    const changing = createLocalRoles(
      app,
      places,
      definitions,
      ({ document }) => withheld ?? document.Statement,
    )
    const input = { TableName: 'orders', Item: {} }
    const key = changing.credentialsOf('Writes')?.accessKeyId ?? ''
    expect(changing.refusalOf(key, 'aws-sdk:dynamodb', 'PutItem', input)).toBeUndefined()
    withheld = []
    expect(changing.refusalOf(key, 'aws-sdk:dynamodb', 'PutItem', input)).toContain('dynamodb:PutItem')
  })

  it('asks for each right that a nested execution takes', () => {
    const child = 'arn:aws:states:us-east-1:000000000000:stateMachine:child'
    const Parameters = { StateMachineArn: child }
    const Resource = 'arn:aws:states:::states:startExecution.sync:2'
    const nested = { StartAt: 'Run', States: { Run: { Type: 'Task', Resource, Parameters, End: true } } }
    let withheld = ''
    const changing = createLocalRoles(app, places, { ship: nested }, ({ document }) =>
      document.Statement.filter(({ Sid }) => Sid !== withheld),
    )
    const refusal = (sid: string) => {
      withheld = sid
      const call = {
        service: 'states',
        action: 'startExecution',
        pattern: 'sync:2',
        parameters: Parameters,
      } as const
      return changing.guard.ofMachine(machine, call)
    }
    expect(refusal('')).toBeUndefined()
    expect(refusal('StartExecutions')).toContain('states:StartExecution')
    expect(refusal('FollowExecutions')).toContain('states:DescribeExecution')
    expect(refusal('HearOfTheEnd')).toContain('events:')
  })
})
