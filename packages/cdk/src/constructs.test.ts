import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '@stepwright/app'
import { BusinessError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { App as CdkApp, Stack } from 'aws-cdk-lib'
import { Vpc } from 'aws-cdk-lib/aws-ec2'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { StepwrightApp, TaskFunction, Workflow } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'stepwright-cdk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const task = defineTask({
  name: 'validate',
  input: z.object({ key: z.string() }),
  output: z.object({ ok: z.boolean() }),
  errors: [BusinessError],
  run: () => ({ ok: true }),
})

function definition(retried: readonly string[]): string {
  return JSON.stringify({
    StartAt: 'Validate',
    TimeoutSeconds: 60,
    States: {
      Validate: {
        Type: 'Task',
        Resource: `\${Validate}`,
        TimeoutSeconds: 30,
        Retry: [{ ErrorEquals: retried, MaxAttempts: 2 }],
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Failed' }],
        End: true,
      },
      Failed: { Type: 'Fail' },
    },
  })
}

beforeAll(() => {
  writeFileSync(join(folder, 'handler.ts'), 'export const handler = async () => ({ ok: true })\n')
  writeFileSync(join(folder, 'good.asl.json'), definition(['Lambda.Unknown']))
  writeFileSync(join(folder, 'bad.asl.json'), definition(['BusinessError']))
})

function synthesise(file: string) {
  const app = new CdkApp({ outdir: mkdtempSync(join(folder, 'out-')), analyticsReporting: false })
  const stack = new Stack(app, 'Stack')
  const Validate = new TaskFunction(stack, 'Validate', {
    entry: join(folder, 'handler.ts'),
    task,
    memoryMb: 256,
  })
  new Workflow(stack, 'Import', {
    definition: join(folder, file),
    functions: { Validate },
    stateMachineName: 'import',
  })
  return app.synth().getStackByName('Stack').template as {
    // biome-ignore lint/suspicious/noExplicitAny: properties of any resource
    readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: any }>>
  }
}

describe('TaskFunction and Workflow', () => {
  it('deploy a task and the definition that was tested, with exactly the rights that it needs', () => {
    const resources = Object.values(synthesise('good.asl.json').Resources)
    const machine = resources.find(({ Type }) => Type === 'AWS::StepFunctions::StateMachine')
    expect(machine?.Properties.DefinitionString).toBe(definition(['Lambda.Unknown']))
    expect(Object.keys(machine?.Properties.DefinitionSubstitutions)).toEqual(['Validate'])
    const lambda = resources.find(({ Type }) => Type === 'AWS::Lambda::Function')
    expect(lambda?.Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      MemorySize: 256,
      Timeout: 25,
    })
    const roles = resources.filter(({ Type }) => Type === 'AWS::IAM::Role')
    const [policy] = roles.flatMap(({ Properties }) => Properties.Policies ?? [])
    expect(policy.PolicyDocument.Statement.map(({ Sid }: { readonly Sid: string }) => Sid)).toEqual([
      'InvokeFunctions',
      'DeliverLogs',
      'SendTraces',
    ])
  })

  it('fail the synthesis where the definition contradicts the tasks', () => {
    expect(() => synthesise('bad.asl.json')).toThrow(/kinds\/business-retried/)
  })
})

describe('StepwrightApp', () => {
  it.each([true, false])('leaves no condition to decide about who hears of alarms: %s', isHeard => {
    const app: App = {
      name: 'shop',
      root: pathToFileURL(`${folder}/`),
      functions: { Validate: { module: 'handler.ts', kind: 'call', export: 'handler', task } },
      alarms: {
        Slow: {
          description: 'It takes long.',
          metric: { function: 'Validate', name: 'Duration' },
          above: 1000,
        },
      },
    }
    const cdk = new CdkApp({ outdir: mkdtempSync(join(folder, 'out-')), analyticsReporting: false })
    const code = mkdtempSync(join(folder, 'code-'))
    const stack = new Stack(cdk, 'Stack')
    const alarmTopic = isHeard ? new Topic(stack, 'Alarms') : undefined
    new StepwrightApp(stack, 'App', { app, codeOf: () => code, ...(alarmTopic && { alarmTopic }) })
    const { Conditions, Resources } = cdk.synth().getStackByName('Stack').template
    expect(Conditions?.HasAlarmTopic).toBeUndefined()
    const alarms = Object.values<{ Type: string; Properties: object }>(Resources).filter(
      ({ Type }) => Type === 'AWS::CloudWatch::Alarm',
    )
    expect(alarms).toHaveLength(1)
    expect('AlarmActions' in (alarms[0]?.Properties ?? {})).toBe(isHeard)
  })

  it('deploys a REST API again for another user pool', () => {
    const app: App = {
      name: 'shop',
      root: pathToFileURL(`${folder}/`),
      functions: { Validate: { module: 'handler.ts', kind: 'stream', export: 'handler', task } },
      routes: { 'GET /orders': { function: 'Validate', streaming: true } },
    }
    const deployed = (pool: string): unknown => {
      const cdk = new CdkApp({ outdir: mkdtempSync(join(folder, 'out-')), analyticsReporting: false })
      const code = mkdtempSync(join(folder, 'code-'))
      const stack = new Stack(cdk, 'Stack')
      const userPoolArn = `arn:aws:cognito-idp:eu-west-1:111122223333:userpool/${pool}`
      const { template } = new StepwrightApp(stack, 'App', { app, codeOf: () => code, userPoolArn })
      const { Ref: id } = stack.resolve(template.getResource('ApiStage')._toCloudFormation()).Resources
        .ApiStage.Properties.DeploymentId
      expect(template.getResource(id).cfnResourceType).toBe('AWS::ApiGateway::Deployment')
      return id
    }
    expect(deployed('one')).toBe(deployed('one'))
    expect(deployed('one')).not.toBe(deployed('two'))
  })

  it('creates another proxy for other subnets, and reaches an existing database on its port', () => {
    const app: App = {
      name: 'shop',
      root: pathToFileURL(`${folder}/`),
      database: { migratedBy: 'Validate' },
      functions: {
        Validate: {
          module: 'handler.ts',
          kind: 'call',
          export: 'handler',
          task,
          environment: { DATABASE_URL: { database: 'url' } },
        },
      },
    }
    const deployed = (subnet: string, props: object = {}) => {
      const cdk = new CdkApp({ outdir: mkdtempSync(join(folder, 'out-')), analyticsReporting: false })
      const code = mkdtempSync(join(folder, 'code-'))
      const stack = new Stack(cdk, 'Stack')
      const vpc = Vpc.fromVpcAttributes(stack, 'Vpc', {
        vpcId: 'vpc-1',
        availabilityZones: ['eu-west-1a', 'eu-west-1b'],
        privateSubnetIds: ['subnet-1', subnet],
      })
      const { template } = new StepwrightApp(stack, 'App', { app, vpc, codeOf: () => code, ...props })
      return (id: string) =>
        stack.resolve(template.getResource(id)._toCloudFormation()).Resources[id].Properties
    }
    const nameWith = (subnet: string) => JSON.stringify(deployed(subnet)('DatabaseProxy').DBProxyName)
    const first = nameWith('subnet-2')
    expect(first).toMatch(/shop.*-[0-9a-f]{8}"/)
    expect(nameWith('subnet-2')).toBe(first)
    expect(nameWith('subnet-3')).not.toBe(first)
    const existing = deployed('subnet-2', { database: 'existing', databasePort: 6543 })
    expect(existing('FunctionsSecurityGroup').SecurityGroupEgress).toContainEqual(
      expect.objectContaining({ FromPort: 6543, ToPort: 6543 }),
    )
  })

  it('says which option is missing', () => {
    const app: App = {
      name: 'shop',
      root: pathToFileURL(`${folder}/`),
      functions: { Validate: { module: 'handler.ts', kind: 'call', export: 'handler', task } },
      routes: { 'GET /orders': { function: 'Validate' } },
    }
    const stack = new Stack(new CdkApp({ outdir: mkdtempSync(join(folder, 'out-')) }), 'Stack')
    expect(() => new StepwrightApp(stack, 'App', { app })).toThrow('the app needs jwt')
  })
})
