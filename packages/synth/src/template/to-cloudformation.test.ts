import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '@stepwright/app'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type DeploymentOptions, planDeployment, toCloudFormation } from '../index.ts'
import { toTerraformModule } from '../terraform-module.ts'

const task = defineTask({ name: 'work', input: z.any(), output: z.any(), errors: [], run: () => null })
const handler = { module: 'src/handlers.ts', kind: 'call', export: 'work', task } as const
const base = { name: 'shop', root: new URL('.', import.meta.url) } as const

const shop: App = {
  ...base,
  resources: {
    buckets: {
      orders: {
        expiry: [
          { prefix: 'a/b', days: 1 },
          { prefix: 'ab/', days: 2 },
        ],
      },
    },
    catalogDatabases: { lake: { databaseName: 'orders' } },
    glueJobs: { hourly: { jobName: 'hourly', script: 'job.py', grants: [] } },
    configurationSets: { news: {} },
    secrets: { key: { description: 'a key', localValue: 'local' } },
  },
  database: { migratedBy: 'Migrate' },
  functions: {
    Migrate: { ...handler, environment: { DATABASE_URL: { database: 'url' } } },
    Sign: {
      ...handler,
      environment: {
        KEY: { secret: 'key' },
        PUBLIC_URL: { api: 'url' },
        SET: { configurationSet: 'news', may: ['send'] },
      },
    },
  },
  routes: { 'GET /orders': { function: 'Sign' } },
  triggers: { Nightly: { schedule: 'rate(1 day)', calls: 'Sign' } },
}

// biome-ignore lint/suspicious/noExplicitAny: properties of any resource
type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties: any }>>

function template(options: DeploymentOptions = {}, app: App = shop) {
  return toCloudFormation(planDeployment(app, { stage: 'dev', ...options }), () => ({}))
}
function resources(options?: DeploymentOptions, app?: App): Resources {
  return template(options, app).Resources as Resources
}
function statements(role: string, options?: DeploymentOptions) {
  return resources(options)[role]?.Properties.Policies[0].PolicyDocument.Statement as readonly {
    readonly Sid: string
    readonly Resource: unknown
  }[]
}

describe('toCloudFormation', () => {
  it('lets functions sign in to the proxy by IAM, as its one user', () => {
    const { DatabaseProxy, Database, MigrateFunction } = resources()
    expect(DatabaseProxy?.Properties).toMatchObject({ RequireTLS: true, Auth: [{ IAMAuth: 'REQUIRED' }] })
    expect(Database?.Properties).toMatchObject({ ManageMasterUserPassword: true })
    expect(MigrateFunction?.Properties.Environment.Variables.DATABASE_URL).toEqual({
      'Fn::Sub': `postgresql://app@\${DatabaseProxy.Endpoint}:5432/app?auth=iam`,
    })
    const arn = `arn:\${AWS::Partition}:rds-db:\${AWS::Region}:\${AWS::AccountId}:dbuser:\${DatabaseProxyId}/app`
    const id = {
      'Fn::Select': [6, { 'Fn::Split': [':', { 'Fn::GetAtt': ['DatabaseProxy', 'DBProxyArn'] }] }],
    }
    expect(statements('MigrateFunctionRole')).toContainEqual(
      expect.objectContaining({
        Action: ['rds-db:connect'],
        Resource: [{ 'Fn::Sub': [arn, { DatabaseProxyId: id }] }],
      }),
    )
    expect(JSON.stringify(statements('SignFunctionRole'))).not.toContain('rds-db')
  })

  it('keeps data, but nothing of a creation that failed: its names would be taken by the next', () => {
    const tables = { stock: { TableName: 'stock' } }
    const app: App = { ...base, functions: {}, resources: { ...shop.resources, tables } }
    const policies = (keepData: boolean) => {
      const { StockTable, OrdersBucket, OrdersBucketPolicy } = template({ keepData }, app).Resources
      return [StockTable, OrdersBucket, OrdersBucketPolicy].map(each => [
        each?.DeletionPolicy,
        each?.UpdateReplacePolicy,
      ])
    }
    expect(policies(true)).toEqual(Array(3).fill(['RetainExceptOnCreate', 'Retain']))
    expect(policies(false)).toEqual(Array(3).fill(['Delete', 'Delete']))
  })

  it('protects tables and database once the first deployment has succeeded, not while it may roll back', () => {
    const app: App = { ...shop, resources: { ...shop.resources, tables: { stock: { TableName: 'stock' } } } }
    const { StockTable, Database } = resources({}, app)
    const protect = { Ref: 'ProtectData' }
    expect(StockTable?.Properties.DeletionProtectionEnabled).toEqual(protect)
    expect(Database?.Properties.DeletionProtection).toEqual(protect)
    expect(template({}, app).Parameters['ProtectData']).toMatchObject({ Default: 'false' })
    expect(template({ keepData: false }, app).Parameters).not.toHaveProperty('ProtectData')
    const bare: App = { ...base, functions: {} }
    expect(template({}, bare).Parameters).not.toHaveProperty('ProtectData')
  })

  it('puts into the network who needs the database, and nobody else', () => {
    const { MigrateFunction, SignFunction } = resources()
    expect(MigrateFunction?.Properties).toHaveProperty('VpcConfig')
    expect(SignFunction?.Properties).not.toHaveProperty('VpcConfig')
    expect(JSON.stringify(statements('MigrateFunctionRole'))).toContain('ec2:CreateNetworkInterface')
    expect(JSON.stringify(statements('SignFunctionRole'))).not.toContain('ec2:')
  })

  it('reaches a database that exists in a network too', () => {
    const options = { database: 'existing', inVpc: true } as const
    const { MigrateFunction, FunctionsSecurityGroup, DatabaseProxy } = resources(options)
    expect([DatabaseProxy, FunctionsSecurityGroup?.Type]).toEqual([undefined, 'AWS::EC2::SecurityGroup'])
    expect(MigrateFunction?.Properties).toHaveProperty('VpcConfig')
    expect(template(options).Parameters).toHaveProperty('SubnetIds')
    expect(template({ database: 'existing' }).Parameters).not.toHaveProperty('SubnetIds')
    const user = 'arn:aws:rds-db:eu-west-1:1:dbuser:prx-1/app'
    expect(
      JSON.stringify(statements('MigrateFunctionRole', { ...options, databaseUserArn: user })),
    ).toContain(user)
  })

  it('lets functions reach an existing database on the port that it has', () => {
    const options = { database: 'existing', inVpc: true } as const
    const port = { Ref: 'DatabasePort' }
    expect(resources(options)['FunctionsSecurityGroup']?.Properties.SecurityGroupEgress).toContainEqual(
      expect.objectContaining({ FromPort: port, ToPort: port }),
    )
    expect(template(options).Parameters['DatabasePort']).toMatchObject({ Type: 'Number', Default: '5432' })
    expect(template().Parameters).not.toHaveProperty('DatabasePort')
  })

  it('gives the proxy another name for other subnets: CloudFormation creates it beside the old one', () => {
    expect(resources()['DatabaseProxy']?.Properties.DBProxyName).toEqual({
      'Fn::Join': ['', ['shop-dev', { Ref: 'ProxySuffix' }]],
    })
    expect(template().Parameters['ProxySuffix']).toMatchObject({ Default: '' })
    expect(template({ database: 'existing', inVpc: true }).Parameters).not.toHaveProperty('ProxySuffix')
    const module = toTerraformModule(
      planDeployment(shop),
      { template: template(), key: 'template.json', path: 'template.json' },
      [],
    )
    expect(module).toMatchObject({
      resource: {
        aws_cloudformation_stack: {
          app: {
            parameters: {
              ProxySuffix: `-\${substr(sha256(join(",", var.subnet_ids)), 0, 8)}`,
              SubnetIds: `\${join(",", var.subnet_ids)}`,
            },
          },
        },
      },
    })
    expect(module).not.toHaveProperty('variable.proxy_suffix')
  })

  it('lets the functions reach the proxy, that the database, and the database nobody', () => {
    const all = resources()
    const reached = ['FunctionsSecurityGroup', 'ProxySecurityGroup', 'DatabaseSecurityGroup'].map(id =>
      all[id]?.Properties.SecurityGroupEgress.map(
        (rule: { readonly CidrIp?: string; readonly DestinationSecurityGroupId?: object }) =>
          rule.CidrIp ?? JSON.stringify(rule.DestinationSecurityGroupId),
      ),
    )
    expect(reached).toEqual([
      ['0.0.0.0/0', '{"Fn::GetAtt":["ProxySecurityGroup","GroupId"]}'],
      ['{"Fn::GetAtt":["DatabaseSecurityGroup","GroupId"]}'],
      ['127.0.0.1/32'],
    ])
  })

  it('reads secrets anew for another revision, where there are any', () => {
    const { SignFunction, MigrateFunction } = resources()
    const revision = { Ref: 'ConfigRevision' }
    expect(SignFunction?.Properties.Environment.Variables).toMatchObject({ CONFIG_REVISION: revision })
    expect(MigrateFunction?.Properties.Environment.Variables).not.toHaveProperty('CONFIG_REVISION')
    expect(template().Parameters['ConfigRevision']).toMatchObject({ Default: '1' })
    const plain: App = { ...base, functions: { Work: handler } }
    expect(template({}, plain).Parameters).not.toHaveProperty('ConfigRevision')
  })

  it('has Lambda read the stream of a table, and keeps what fails', () => {
    const stock = {
      TableName: 'stock',
      AttributeDefinitions: [{ AttributeName: 'sku', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'sku', KeyType: 'HASH' }],
      TimeToLiveAttribute: 'endsAt',
    } as const
    const app: App = {
      ...base,
      resources: { tables: { stock, other: { ...stock, TableName: 'other' } } },
      functions: { Count: { ...handler, environment: { OTHER: { table: 'other', may: ['read'] } } } },
      triggers: { Stock: { stream: 'stock', batchSize: 20, calls: 'Count' } },
    }
    const { StockTable, OtherTable, StockPoll, FailedEvents, CountFunctionRole, CountFunctionEvents } =
      resources({}, app)
    expect(StockTable?.Properties).toMatchObject({
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'endsAt', Enabled: true },
    })
    expect(OtherTable?.Properties).not.toHaveProperty('StreamSpecification')
    expect(StockPoll).toMatchObject({
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['StockTable', 'StreamArn'] },
        FunctionName: { Ref: 'CountFunction' },
        BatchSize: 20,
        StartingPosition: 'TRIM_HORIZON',
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: 10,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['FailedEvents', 'Arn'] } } },
      },
    })
    expect(FailedEvents?.Type).toBe('AWS::SQS::Queue')
    // It is called synchronously, by what reads the stream.
    expect(CountFunctionEvents).toBeUndefined()
    const policy = JSON.stringify(CountFunctionRole?.Properties.Policies)
    expect(policy).toContain('dynamodb:GetRecords')
    expect(policy).toContain('table/stock-dev/stream/*')
    expect(policy).toContain('KeepFailedEvents')
  })

  it('tells functions where the API is', () => {
    expect(resources()['SignFunction']?.Properties.Environment.Variables.PUBLIC_URL).toEqual({
      'Fn::Sub': `https://\${Api}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}`,
    })
  })

  it('lets EventBridge hear what becomes of mails, and a function send them with its set', () => {
    const { NewsConfigurationSet, NewsConfigurationSetEvents, SignFunction } = resources()
    expect(NewsConfigurationSet?.Properties.Name).toBe('shop-news-dev')
    expect(SignFunction?.Properties.Environment.Variables.SET).toBe('shop-news-dev')
    expect(NewsConfigurationSetEvents?.Properties.EventDestination).toMatchObject({
      EventBridgeDestination: { EventBusArn: { 'Fn::Sub': expect.stringMatching(/:event-bus\/default$/) } },
    })
    expect(JSON.stringify(statements('SignFunctionRole'))).toContain(':configuration-set/shop-news-dev')
  })

  it('gives each stage a database of the catalog', () => {
    const databases = Object.values(resources()).filter(({ Type }) => Type === 'AWS::Glue::Database')
    expect(databases.map(({ Properties }) => Properties.DatabaseInput.Name)).toEqual(['orders_dev'])
  })

  it('trusts services on behalf of this account only, where they say on whose', () => {
    const condition = (role: string) =>
      resources()[role]?.Properties.AssumeRolePolicyDocument.Statement[0].Condition
    expect(condition('HourlyGlueJobRole')).toEqual({
      StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
    })
    expect(condition('SignFunctionRole')).toBeUndefined()
  })

  it('takes failed events from its own rules only', () => {
    const [, fromRules] = resources()['FailedEventsPolicy']?.Properties.PolicyDocument.Statement ?? []
    expect(fromRules.Condition).toEqual({
      ArnEquals: { 'aws:SourceArn': [{ 'Fn::GetAtt': ['NightlyRule', 'Arn'] }] },
    })
  })

  it('starts executions by an alias, which moves to the version of each definition in steps', () => {
    const definition = JSON.stringify({ StartAt: 'End', States: { End: { Type: 'Succeed' } } })
    const app: App = {
      ...base,
      functions: {
        Begin: { ...handler, environment: { ARN: { workflow: 'ship', may: ['start', 'stop', 'answer'] } } },
      },
      workflows: { ship: { definition: 'ship.asl.json' } },
      triggers: { Nightly: { schedule: 'rate(1 day)', starts: 'ship' } },
      alarms: {
        Failed: { description: 'no', metric: { workflow: 'ship', name: 'ExecutionsFailed' }, above: 0 },
      },
    }
    const alias = { name: 'live', shift: { type: 'canary', percent: 10, everyMinutes: 5 } } as const
    const file = join(mkdtempSync(join(tmpdir(), 'stepwright-alias-')), 'ship.asl.json')
    writeFileSync(file, definition)
    const workflows = { ship: { definition: pathToFileURL(file).href } }
    const all = resources({ alias }, { ...app, workflows })
    rmSync(dirname(file), { recursive: true })
    expect(all['ShipStateMachineAlias']?.Properties).toEqual({
      Name: 'live',
      DeploymentPreference: {
        StateMachineVersionArn: { Ref: 'ShipStateMachineVersion' },
        Type: 'CANARY',
        Percentage: 10,
        Interval: 5,
        Alarms: [{ Ref: 'FailedAlarm' }],
      },
    })
    expect(all['NightlyRule']?.Properties.Targets[0].Arn).toEqual({ Ref: 'ShipStateMachineAlias' })
    const begin = JSON.stringify(all['BeginFunctionRole'])
    expect(begin).toContain('stateMachine:shop-ship-dev:live')
    expect(begin).toContain('execution:shop-ship-dev:*')
    const machine = `arn:\${AWS::Partition}:states:\${AWS::Region}:\${AWS::AccountId}:stateMachine:shop-ship-dev`
    expect(all['BeginFunction']?.Properties.Environment.Variables.ARN).toEqual({
      'Fn::Sub': `${machine}:live`,
    })
    expect(begin).toContain(`"Resource":[{"Fn::Sub":"${machine}"}]`) // of who answers tasks
  })

  it('names each rule of a bucket otherwise', () => {
    const ids = resources()['OrdersBucket']?.Properties.LifecycleConfiguration.Rules.map(
      ({ Id }: { readonly Id: string }) => Id,
    )
    expect(new Set(ids).size).toBe(3)
  })

  it('refuses names that AWS would refuse', () => {
    expect(() => planDeployment(shop, { stage: 'Prod' })).toThrow(/the stage must be lower-case/)
    const long: App = { ...base, functions: { [`Work${'x'.repeat(60)}`]: handler } }
    expect(() => planDeployment(long)).toThrow(
      /\(functions\) may have 64 characters, and would have up to 69/,
    )
    const bucket: App = {
      ...base,
      functions: {},
      resources: { buckets: { a: { bucketName: 'b'.repeat(36) } } },
    }
    expect(() => planDeployment(bucket)).toThrow(/\(buckets\) may have 63 characters/)
  })

  it('asks who hears of alarms only where there are some', () => {
    const quiet: App = { ...base, functions: { Work: handler } }
    const template = toCloudFormation(planDeployment(quiet), () => ({ S3Bucket: 'b', S3Key: 'k' }))
    expect([template.Parameters['AlarmTopicArn'], template.Conditions]).toEqual([undefined, undefined])
  })
})
