import type { App } from '@stepwright/app'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { appPolicies, deployedPlaces } from '../src/index.ts'
import { linesOf } from './exactness.ts'

const silent = defineTask({ name: 'silent', input: z.any(), output: z.any(), errors: [], run: () => null })
const reads = defineTask({
  name: 'reads',
  input: z.any(),
  output: z.any(),
  errors: [],
  needs: {
    ports: {},
    permissions: [
      { actions: ['s3:GetObject', 's3:GetObjectVersion'], on: 'the file' },
      { actions: ['dynamodb:GetItem'], on: 'the table' },
    ],
  },
  run: () => null,
})

const module = 'src/handlers.ts'
const app: App = {
  name: 'shop',
  root: new URL('.', import.meta.url),
  resources: {
    buckets: { uploads: {} },
    tables: {
      orders: {
        TableName: 'orders',
        GlobalSecondaryIndexes: [{ IndexName: 'byDay', Projection: { ProjectionType: 'ALL' } }],
      },
    },
    queues: { work: {} },
  },
  functions: {
    Reads: {
      module,
      kind: 'call',
      export: 'reads',
      task: reads,
      environment: {
        BUCKET: { bucket: 'uploads', may: ['read in/*', 'write out/*'] },
        TABLE: { table: 'orders', may: ['read'] },
      },
    },
    Writes: {
      module,
      kind: 'call',
      export: 'writes',
      task: silent,
      environment: {
        TABLE: { table: 'orders', may: ['read', 'append'] },
        QUEUE: { queue: 'work', may: ['send'] },
        FAILED: { deadLettersOf: 'work', may: ['send'] },
        MACHINE: { workflow: 'ship', may: ['start', 'redrive', 'answer'] },
        OTHER: { function: 'Reads', may: ['invoke'] },
      },
      permissions: [{ actions: ['ses:SendEmail'], resources: ['*'] }],
    },
  },
  workflows: {
    ship: {
      definition: 'ship.asl.json',
      logging: { level: 'OFF' },
      known: { '$.bucket': { bucket: 'uploads' } },
    },
  },
  triggers: {
    Work: { queue: 'work', calls: 'Writes' },
    Nightly: { schedule: 'rate(1 day)', starts: 'ship' },
    Hourly: { schedule: 'rate(1 hour)', calls: 'Reads' },
  },
}

const account = `\${AWS::Region}:\${AWS::AccountId}`
function arn(service: string, resource: string): string {
  return `arn:\${AWS::Partition}:${service}:${account}:${resource}`
}
const bucket = `arn:\${AWS::Partition}:s3:::shop-uploads-dev-\${AWS::AccountId}-\${AWS::Region}`

function linesFor(name: string, options: object = {}): readonly string[] {
  const roles = appPolicies(app, {
    places: deployedPlaces(app, { stage: 'dev' }),
    definitions: {
      ship: {
        StartAt: 'Read',
        States: {
          Read: {
            Type: 'Task',
            Resource: 'arn:aws:states:::aws-sdk:s3:getObject',
            Parameters: { 'Bucket.$': '$.bucket', Key: 'in/a.csv' },
            Next: 'Call',
          },
          Call: { Type: 'Task', Resource: `\${Reads}`, End: true },
        },
      },
    },
    ...options,
  })
  return linesOf(roles.find(role => role.name === name)?.document.Statement ?? []).filter(
    line => !line.startsWith('logs:') && !line.startsWith('xray:'),
  )
}

describe('appPolicies', () => {
  it('gives a function what its task says it needs, within its grants and below its prefixes', () => {
    expect(linesFor('Reads')).toEqual([
      `dynamodb:GetItem on ${arn('dynamodb', 'table/orders-dev')}`,
      `dynamodb:GetItem on ${arn('dynamodb', 'table/orders-dev/index/byDay')}`,
      `s3:AbortMultipartUpload on ${bucket}/out/*`,
      `s3:GetObject on ${bucket}/in/*`,
      `s3:GetObjectVersion on ${bucket}/in/*`,
      `s3:ListBucket on ${bucket}`,
      `s3:PutObject on ${bucket}/out/*`,
    ])
  })

  it('gives a function whose task does not say what is usual, and what Lambda polls with', () => {
    const machine = arn('states', 'stateMachine:shop-ship-dev')
    expect(linesFor('Writes')).toEqual([
      `dynamodb:BatchGetItem on ${arn('dynamodb', 'table/orders-dev')}`,
      `dynamodb:BatchGetItem on ${arn('dynamodb', 'table/orders-dev/index/byDay')}`,
      `dynamodb:GetItem on ${arn('dynamodb', 'table/orders-dev')}`,
      `dynamodb:GetItem on ${arn('dynamodb', 'table/orders-dev/index/byDay')}`,
      `dynamodb:PartiQLInsert on ${arn('dynamodb', 'table/orders-dev')}`,
      `dynamodb:Query on ${arn('dynamodb', 'table/orders-dev')}`,
      `dynamodb:Query on ${arn('dynamodb', 'table/orders-dev/index/byDay')}`,
      `lambda:InvokeFunction on ${arn('lambda', 'function:shop-Reads-dev')}`,
      'ses:SendEmail on *',
      `sqs:DeleteMessage on ${arn('sqs', 'shop-work-dev')}`,
      `sqs:GetQueueAttributes on ${arn('sqs', 'shop-work-dev')}`,
      `sqs:ReceiveMessage on ${arn('sqs', 'shop-work-dev')}`,
      `sqs:SendMessage on ${arn('sqs', 'shop-work-dead-dev')}`,
      `sqs:SendMessage on ${arn('sqs', 'shop-work-dev')}`,
      `states:RedriveExecution on ${arn('states', 'execution:shop-ship-dev:*')}`,
      `states:SendTaskFailure on ${machine}`,
      `states:SendTaskHeartbeat on ${machine}`,
      `states:SendTaskSuccess on ${machine}`,
      `states:StartExecution on ${machine}`,
    ])
  })

  it('puts the substitutions and the known values of a workflow in', () => {
    expect(linesFor('ship')).toEqual([
      `lambda:InvokeFunction on ${arn('lambda', 'function:shop-Reads-dev')}`,
      `s3:GetObject on ${bucket}/in/a.csv`,
    ])
  })

  it('gives a rule that starts executions a role', () => {
    expect(linesFor('Nightly')).toEqual([
      `states:StartExecution on ${arn('states', 'stateMachine:shop-ship-dev')}`,
    ])
  })

  it('lets functions that events call keep what they failed on', () => {
    const options = { deadLetterQueueUrl: 'https://sqs.example/1/shop-failed' }
    expect(linesFor('Reads', options)).toContain(`sqs:SendMessage on ${arn('sqs', 'shop-failed')}`)
    expect(linesFor('Writes', options)).not.toContain(`sqs:SendMessage on ${arn('sqs', 'shop-failed')}`)
  })
})
