import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { App, GlueJob } from '@stepwright/app'
import {
  bucketId,
  bundleFunctions,
  checkDeployment,
  type DeploymentOptions,
  functionId,
  glueJobId,
  planDeployment,
  tableId,
  toCloudFormation,
  workflowId,
} from '@stepwright/synth'
import { Aws, Stack } from 'aws-cdk-lib'
import { type CfnTable, type ITable, Table } from 'aws-cdk-lib/aws-dynamodb'
import type { IVpc } from 'aws-cdk-lib/aws-ec2'
import type { CfnJob } from 'aws-cdk-lib/aws-glue'
import type { CfnRole } from 'aws-cdk-lib/aws-iam'
import { type CfnFunction, type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Bucket, type CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3'
import { Asset } from 'aws-cdk-lib/aws-s3-assets'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { type CfnStateMachine, type IStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include'
import { Construct } from 'constructs'
import { toMessages } from './to-messages.ts'

export interface StepwrightAppProps extends Omit<DeploymentOptions, 'inVpc'> {
  /** As `defineApp` declares it. */
  readonly app: App
  /** Where the database and the functions that use it are; needed for an Aurora of the app's own. */
  readonly vpc?: IVpc
  /** The port of a database that exists in the VPC. @default 5432 */
  readonly databasePort?: number
  /** Functions read the values of secrets anew when it changes. @default '1' */
  readonly configRevision?: string
  /** Who issues the tokens of the API, and for whom; needed for routes that are authorized. */
  readonly jwt?: { readonly issuer: string; readonly audience: string }
  /** The Cognito user pool that issues the tokens; needed instead of `jwt` where a route streams. */
  readonly userPoolArn?: string
  /** Hears of alarms. @default nobody does */
  readonly alarmTopic?: ITopic
  /** The folder with a function's code. @default it is bundled by esbuild */
  readonly codeOf?: (functionName: string) => string
}

/**
 * An app, deployed from its declaration: its functions, state machines, buckets, tables, queues, database, API, rules,
 * alarms and dashboard, each role with exactly what it needs. The definitions are checked as `stepwright check` does,
 * as they are synthesised, and an error fails the synthesis. One stack has one app.
 */
export class StepwrightApp extends Construct {
  readonly functions: Readonly<Record<string, IFunction>>
  readonly workflows: Readonly<Record<string, IStateMachine>>
  readonly buckets: Readonly<Record<string, IBucket>>
  readonly tables: Readonly<Record<string, ITable>>
  /** Every resource by its logical id, to change what no option does: `template.getResource('Database')`. */
  readonly template: CfnInclude

  constructor(scope: Construct, id: string, props: StepwrightAppProps) {
    super(scope, id)
    const { app } = props
    const deployment = planDeployment(app, { ...props, ...(props.vpc && { inVpc: true }) })
    const template = decideAlarms(
      toCloudFormation(deployment, () => ({ S3Bucket: 'code', S3Key: 'code' })),
      props.alarmTopic !== undefined,
    )
    const pool: unknown = Stack.of(this).resolve(props.userPoolArn)
    this.template = include(
      this,
      deployAuthorizer(template, pool),
      parametersFrom(props, template.Parameters, value => Stack.of(this).resolve(value)),
    )
    this.giveCode(deployment.app, props.codeOf)
    this.giveScripts(app)

    const each = <T>(names: object, to: (name: string) => T): Readonly<Record<string, T>> =>
      Object.fromEntries(Object.keys(names).map(name => [name, to(name)]))
    const { functions, workflows, buckets, tables } = deployment.names
    this.functions = each(functions, name =>
      LambdaFunction.fromFunctionAttributes(this, `${name}Function`, {
        functionArn: this.resource<CfnFunction>(functionId(name)).attrArn,
        sameEnvironment: true,
      }),
    )
    this.workflows = each(workflows, name =>
      StateMachine.fromStateMachineArn(this, `${name}Workflow`, this.machine(name).ref),
    )
    this.buckets = each(buckets, name =>
      Bucket.fromBucketName(this, `${name}Bucket`, this.resource<CfnBucket>(bucketId(name)).ref),
    )
    this.tables = each(tables, name =>
      Table.fromTableArn(this, `${name}Table`, this.resource<CfnTable>(tableId(name)).attrArn),
    )
    this.node.addValidation({ validate: () => this.findings(app) })
  }

  private giveCode(app: App, codeOf: StepwrightAppProps['codeOf']): void {
    const scratch = codeOf === undefined ? mkdtempSync(join(tmpdir(), 'stepwright-bundle-')) : undefined
    try {
      const bundles = scratch === undefined ? {} : bundleFunctions(app, scratch)
      for (const name of Object.keys(app.functions)) {
        const path = codeOf?.(name) ?? bundles[name]?.directory ?? ''
        const asset = new Asset(this, `${name}Code`, { path })
        this.resource<CfnFunction>(functionId(name)).code = {
          s3Bucket: asset.s3BucketName,
          s3Key: asset.s3ObjectKey,
        }
      }
    } finally {
      if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })
    }
  }

  /** The role of a job may read its own script and nothing beside it. */
  private giveScripts(app: App): void {
    for (const [name, { script }] of Object.entries<GlueJob>(app.resources?.glueJobs ?? {})) {
      const asset = new Asset(this, `${name}Script`, { path: fileURLToPath(new URL(script, app.root)) })
      const id = glueJobId(name)
      this.resource<CfnJob>(id).addPropertyOverride('Command.ScriptLocation', asset.s3ObjectUrl)
      const arn = `arn:${Aws.PARTITION}:s3:::${asset.s3BucketName}/${asset.s3ObjectKey}`
      const role = this.resource<CfnRole>(`${id}Role`)
      const policies = Stack.of(this).resolve(role.policies) as readonly RolePolicy[]
      role.policies = policies.map(({ policyName, policyDocument }) => ({
        policyName,
        policyDocument: {
          ...policyDocument,
          Statement: policyDocument.Statement.map(statement => ({
            ...statement,
            Resource: statement.Resource.map(each =>
              JSON.stringify(each).includes(codeBucket) ? arn : each,
            ),
          })),
        },
      }))
    }
  }

  private resource<T>(logicalId: string): T {
    return this.template.getResource(logicalId) as T
  }

  private machine(workflow: string): CfnStateMachine {
    return this.resource<CfnStateMachine>(workflowId(workflow))
  }

  /** Of what is synthesised, whatever was done to it after construction. */
  private findings(app: App): string[] {
    const definitions = Object.keys(app.workflows ?? {}).map(name => {
      const text: unknown = Stack.of(this).resolve(this.machine(name).definitionString)
      return [name, typeof text === 'string' ? text : JSON.stringify(text)] as const
    })
    return toMessages(checkDeployment(app, Object.fromEntries(definitions)))
  }
}

interface RolePolicy {
  readonly policyName: string
  readonly policyDocument: { readonly Statement: readonly { readonly Resource: readonly unknown[] }[] }
}

type Template = ReturnType<typeof toCloudFormation>

/** Whether somebody hears of alarms is known here: what is left of the condition would only be warned of. */
function decideAlarms({ Conditions: _, ...template }: Template, hasTopic: boolean): Template {
  const { AlarmTopicArn, ...others } = template.Parameters
  const decided = JSON.parse(JSON.stringify(template), (_key, value) => {
    const choice = value?.['Fn::If']
    if (choice?.[0] !== 'HasAlarmTopic') return value
    return hasTopic ? choice[1] : undefined
  }) as Template
  return hasTopic || AlarmTopicArn === undefined ? decided : { ...decided, Parameters: others }
}

/** A deployment of a REST API keeps the user pool that it was created with: another pool is another deployment. */
function deployAuthorizer(template: Template, pool: unknown): Template {
  const [id] = Object.entries(template.Resources).find(
    ([, { Type }]) => Type === 'AWS::ApiGateway::Deployment',
  ) ?? ['']
  if (id === '' || pool === undefined) return template
  return JSON.parse(JSON.stringify(template).replaceAll(`"${id}"`, `"${id}${hashOf(pool)}"`)) as Template
}

function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
    .slice(0, 8)
}

function include(
  scope: Construct,
  template: object,
  parameters: Readonly<Record<string, unknown>>,
): CfnInclude {
  const scratch = mkdtempSync(join(tmpdir(), 'stepwright-template-'))
  try {
    const templateFile = join(scratch, 'template.json')
    writeFileSync(templateFile, JSON.stringify(template))
    return new CfnInclude(scope, 'Template', { templateFile, parameters: { ...parameters } })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Stands for the bucket of CDK's assets until each asset has its own place. */
const codeBucket = 'stepwright-code'

/** Set when the stack is deployed, not when it is synthesised: `cdk deploy --parameters ProtectData=true`. */
const parametersOfStack: readonly string[] = ['ProtectData']

/** What the template asks for, from what the construct was given. */
function parametersFrom(
  { vpc, jwt, userPoolArn, alarmTopic, configRevision, databasePort }: StepwrightAppProps,
  asked: Template['Parameters'],
  resolve: (value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  const subnetIds = vpc?.selectSubnets().subnetIds
  const given: Readonly<Record<string, unknown>> = {
    CodeBucket: codeBucket,
    CodePrefix: '',
    AlarmTopicArn: alarmTopic?.topicArn,
    ConfigRevision: configRevision,
    VpcId: vpc?.vpcId,
    SubnetIds: subnetIds,
    DatabasePort: databasePort,
    // Other subnets are another proxy, under another name.
    ProxySuffix: `-${hashOf(resolve(subnetIds))}`,
    JwtIssuer: jwt?.issuer,
    JwtAudience: jwt?.audience,
    UserPoolArn: userPoolArn,
  }
  const option: Readonly<Record<string, string>> = {
    VpcId: "vpc, or database: 'existing'",
    SubnetIds: "vpc, or database: 'existing'",
    JwtIssuer: 'jwt',
    JwtAudience: 'jwt',
    UserPoolArn: 'userPoolArn',
  }
  const known = Object.keys(asked).filter(name => !parametersOfStack.includes(name))
  const givenFor = (name: string): unknown => given[name] ?? asked[name]?.Default
  for (const name of known) {
    if (givenFor(name) === undefined) throw new TypeError(`the app needs ${option[name] ?? name}`)
  }
  return Object.fromEntries(known.map(name => [name, givenFor(name)]))
}
