import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, resolveSubstitutions } from '@stepwright/app'
import { substitute } from '@stepwright/asl/expressions'
import { deployedPlaces } from '@stepwright/policy'
import { functionId, planDeployment, toCloudFormation, workflowId } from '@stepwright/synth'
import { App as CdkApp } from 'aws-cdk-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apps } from './apps.ts'
import { createStacks } from './create-stacks.ts'
import { stages } from './stages.ts'

interface Resource {
  readonly Type: string
  // biome-ignore lint/suspicious/noExplicitAny: properties of any resource
  readonly Properties: any
  readonly DeletionPolicy?: string
}
interface Template {
  readonly Parameters: Readonly<Record<string, { readonly Default?: string }>>
  readonly Resources: Readonly<Record<string, Resource>>
}

/** A synthesis takes seconds: the others are looked at as the plain templates that CDK includes. */
const synthesised = apps.filter(({ name }) => name === 'csv-processor' || name === 'data-transform')

const folder = mkdtempSync(join(tmpdir(), 'stepwright-deploy-'))
const outdir = join(folder, 'cdk.out')
let names: readonly string[] = []
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  const code = join(folder, 'code')
  mkdirSync(code)
  writeFileSync(join(code, 'index.mjs'), 'export const handler = () => null\n')
  const app = new CdkApp({
    outdir,
    analyticsReporting: false,
    context: { 'aws:cdk:disable-stack-trace': true },
  })
  names = createStacks(app, { codeOf: () => code, only: ['prod'], of: synthesised }).map(
    ({ stackName }) => stackName,
  )
  app.synth()
})

function templateOf(name: string): Template {
  const file = join(outdir, `${name}.template.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const app = apps.find(each => `${each.name}-prod` === name) as App
  return toCloudFormation(planDeployment(app, { stage: 'prod', ...stages.prod }), () => ({}))
}

function resourcesOf(name: string, type: string): readonly Resource[] {
  return Object.values(templateOf(name).Resources).filter(({ Type }) => Type === type)
}

describe('the stacks', () => {
  it('are a network and one for each app', () => {
    expect(names).toEqual(['network-prod', 'csv-processor-prod', 'data-transform-prod'])
  })

  it('have in CDK what the plain template has, but for the code', () => {
    const { Resources } = templateOf('csv-processor-prod')
    const [app] = apps
    const plain = toCloudFormation(planDeployment(app as App, { stage: 'prod', ...stages.prod }), () => ({}))
    for (const [id, { Type, Properties }] of Object.entries(plain.Resources)) {
      expect(Resources[id]?.Type).toBe(Type)
      expect(Object.keys(Resources[id]?.Properties).sort()).toEqual(Object.keys(Properties).sort())
    }
  })

  it('deploy the definitions that were tested, byte for byte after substitution', () => {
    for (const app of apps) {
      const { Resources } = templateOf(`${app.name}-prod`)
      for (const [name, { definition }] of Object.entries(app.workflows ?? {})) {
        const { DefinitionString, DefinitionSubstitutions } = Resources[workflowId(name)]?.Properties ?? {}
        const given = Object.fromEntries(
          Object.entries<string | { 'Fn::Sub': string }>(DefinitionSubstitutions).map(([key, value]) => [
            key,
            typeof value === 'string' ? value : value['Fn::Sub'],
          ]),
        )
        const tested = readFileSync(new URL(definition, app.root), 'utf8')
        const places = deployedPlaces(app, { stage: 'prod' })
        expect(substitute(DefinitionString, given)).toBe(
          substitute(tested, resolveSubstitutions(app, name, places)),
        )
      }
    }
  })

  it.each(apps.map(({ name }) => name))(
    'log all events of %s, with data only where its design asks for it',
    name => {
      for (const { Properties } of resourcesOf(`${name}-prod`, 'AWS::StepFunctions::StateMachine')) {
        expect(Properties).toMatchObject({
          LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: name === 'csv-processor' },
          TracingConfiguration: { Enabled: true },
        })
      }
    },
  )

  it('keep rejected rows out of the logs of the database, and delete its logs after a time', () => {
    for (const { name, database } of apps) {
      if (database === undefined) continue
      const [cluster] = resourcesOf(`${name}-prod`, 'AWS::RDS::DBCluster')
      const [parameters] = resourcesOf(`${name}-prod`, 'AWS::RDS::DBClusterParameterGroup')
      expect(cluster?.Properties.DBClusterParameterGroupName).toEqual({
        Ref: expect.stringContaining('DatabaseParameters'),
      })
      expect(parameters?.Properties.Parameters).toMatchObject({
        log_error_verbosity: 'terse',
        log_min_error_statement: 'panic',
        log_min_messages: 'fatal',
      })
      const groups = resourcesOf(`${name}-prod`, 'AWS::Logs::LogGroup').map(({ Properties }) => Properties)
      const logs = `/aws/rds/cluster/${cluster?.Properties.DBClusterIdentifier}/postgresql`
      expect(groups).toContainEqual(expect.objectContaining({ LogGroupName: logs, RetentionInDays: 365 }))
    }
  })

  it('run functions on Node 24 and arm64, each with a role and logs of its own', () => {
    for (const { name, functions, site } of apps) {
      const deployed = resourcesOf(`${name}-prod`, 'AWS::Lambda::Function')
      expect(deployed).toHaveLength(Object.keys(functions).length + (site === undefined ? 0 : 1))
      const roles = new Set(deployed.map(({ Properties }) => JSON.stringify(Properties.Role)))
      expect(roles.size).toBe(deployed.length)
      for (const { Properties } of deployed)
        expect(Properties).toMatchObject({
          Runtime: 'nodejs24.x',
          Architectures: ['arm64'],
          Handler: 'index.handler',
        })
    }
  })

  it('keep buckets private, encrypted and behind TLS, and let chunks and uploads expire', () => {
    for (const app of apps) {
      const buckets = resourcesOf(`${app.name}-prod`, 'AWS::S3::Bucket')
      expect(buckets.length).toBe(Object.keys(app.resources?.buckets ?? {}).length)
      expect(resourcesOf(`${app.name}-prod`, 'AWS::S3::BucketPolicy')).toHaveLength(buckets.length)
      for (const { Properties, DeletionPolicy } of buckets) {
        expect(DeletionPolicy).toBe('RetainExceptOnCreate')
        expect(Properties.PublicAccessBlockConfiguration).toEqual({
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        })
      }
    }
    const { LifecycleConfiguration } =
      templateOf('csv-processor-prod').Resources['InputBucket']?.Properties ?? {}
    expect(LifecycleConfiguration.Rules).toContainEqual(
      expect.objectContaining({ Prefix: 'chunks/', ExpirationInDays: 30 }),
    )
  })

  it('keep the data of prod, and nothing of dev', () => {
    const [app] = apps
    const policies = (['dev', 'prod'] as const).map(stage => {
      const { Resources } = toCloudFormation(
        planDeployment(app as App, { stage, ...stages[stage] }),
        () => ({}),
      )
      const kept = Object.values(Resources).filter(({ Type }) => /S3::Bucket$|DynamoDB::Table/.test(Type))
      return [...new Set(kept.map(({ DeletionPolicy }) => DeletionPolicy))]
    })
    expect(policies).toEqual([['Delete'], ['RetainExceptOnCreate']])
    for (const { Properties } of resourcesOf('csv-processor-prod', 'AWS::DynamoDB::Table'))
      expect(Properties).toMatchObject({
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        DeletionProtectionEnabled: { Ref: 'ProtectData' },
      })
    expect(templateOf('csv-processor-prod').Parameters['ProtectData']?.Default).toBe('false')
  })

  it('stream where a route does', () => {
    const methods = resourcesOf('async-generation-prod', 'AWS::ApiGateway::Method')
    const streaming = methods.filter(
      ({ Properties }) => Properties.Integration.ResponseTransferMode === 'STREAM',
    )
    expect(streaming).toHaveLength(1)
    expect(JSON.stringify(streaming[0]?.Properties.Integration.Uri)).toContain(
      'response-streaming-invocations',
    )
  })

  it('let a Glue job read its own script, of what is deployed, and nothing beside it', () => {
    const { Properties } = templateOf('data-transform-prod').Resources['TransformGlueJobRole'] ?? {}
    const policy = JSON.stringify(Properties.Policies)
    expect(policy).toMatch(/[0-9a-f]{64}\.py/)
    expect(policy).not.toContain('stepwright-code')
  })

  it('make every alarm of the declarations, each with a runbook', () => {
    for (const app of apps) {
      const { Resources } = templateOf(`${app.name}-prod`)
      const alarms = Object.values(Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
      expect(alarms.length).toBeGreaterThanOrEqual(Object.keys(app.alarms ?? {}).length)
      for (const { Properties } of alarms) {
        const [, page = ''] = /Runbook: (\S+)$/.exec(Properties.AlarmDescription) ?? []
        expect(() => readFileSync(new URL(`../../../${page}`, import.meta.url))).not.toThrow()
        expect(Properties.TreatMissingData).toBe('notBreaching')
      }
    }
  })

  it('ask for a token on every route but those that are declared open', () => {
    const routes = resourcesOf('campaign-import-prod', 'AWS::ApiGatewayV2::Route')
    const open = routes.filter(({ Properties }) => Properties.AuthorizationType !== 'JWT')
    const declared = Object.entries(apps.find(({ name }) => name === 'campaign-import')?.routes ?? {})
    const site = ['GET /', 'GET /{path+}']
    expect(open.map(({ Properties }) => Properties.RouteKey).sort()).toEqual(
      [...site, ...declared.flatMap(([key, route]) => (route?.authorized === false ? [key] : []))].sort(),
    )
    expect(routes.length).toBe(declared.length + site.length)
  })

  it('keep what rules cannot deliver', () => {
    for (const { Properties } of resourcesOf('csv-processor-prod', 'AWS::Events::Rule'))
      expect(Properties.Targets[0].DeadLetterConfig).toEqual({
        Arn: { 'Fn::GetAtt': ['FailedEvents', 'Arn'] },
      })
    expect(
      templateOf('csv-processor-prod').Resources[`${functionId('StartProcessing')}Events`]?.Properties,
    ).toMatchObject({
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['FailedEvents', 'Arn'] } } },
    })
  })

  it('hear of the ends of their own executions, and of nobody else’s', () => {
    const { EventPattern } =
      templateOf('async-generation-prod').Resources['ExecutionEndedRule']?.Properties ?? {}
    expect(EventPattern.detail.stateMachineArn).toEqual([
      { 'Fn::Sub': expect.stringMatching(/:stateMachine:async-generation-generation-prod$/) },
    ])
  })

  it('let alarms tell the topic', () => {
    const [policy] = resourcesOf('csv-processor-prod', 'AWS::SNS::TopicPolicy')
    expect(policy?.Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    )
  })

  it('put the database behind a proxy that takes TLS and tokens of IAM only', () => {
    const [proxy] = resourcesOf('csv-processor-prod', 'AWS::RDS::DBProxy')
    expect(proxy?.Properties).toMatchObject({
      RequireTLS: true,
      EngineFamily: 'POSTGRESQL',
      Auth: [{ IAMAuth: 'REQUIRED' }],
    })
    expect(
      JSON.stringify(templateOf('csv-processor-prod').Resources['MigrateDatabaseFunctionRole']),
    ).toContain('rds-db:connect')
    const [cluster] = resourcesOf('campaign-import-prod', 'AWS::RDS::DBCluster')
    expect(cluster?.Properties).toMatchObject({
      StorageEncrypted: true,
      DeletionProtection: { Ref: 'ProtectData' },
    })
  })
})
