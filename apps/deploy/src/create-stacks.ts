import type { App } from '@stepwright/app'
import { StepwrightApp, type StepwrightAppProps } from '@stepwright/cdk'
import { type App as CdkApp, CfnParameter, Stack } from 'aws-cdk-lib'
import { FlowLogDestination, IpAddresses, type IVpc, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2'
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { acknowledgeKnown } from './acknowledged.ts'
import { apps } from './apps.ts'
import { type Stage, stages } from './stages.ts'

export interface StacksOptions extends Pick<StepwrightAppProps, 'codeOf'> {
  /** @default every stage */
  readonly only?: readonly Stage[]
  /** @default every app */
  readonly of?: readonly App[]
}

/** For each stage a network, and a stack for each app: `csv-processor-dev`. */
export function createStacks(
  scope: CdkApp,
  { codeOf, only = Object.keys(stages) as Stage[], of = apps }: StacksOptions = {},
): readonly Stack[] {
  const stacks = only.flatMap(stage => {
    const network = new Stack(scope, `network-${stage}`, { description: `The network of ${stage}` })
    const vpc = createNetwork(network)
    return [
      network,
      ...of.map(app => createAppStack(scope, stage, { app, vpc: vpc as IVpc, ...(codeOf && { codeOf }) })),
    ]
  })
  for (const stack of stacks) acknowledgeKnown(stack)
  return stacks
}

/** Private subnets in two zones, with one way out: to AWS's APIs and to mail. */
function createNetwork(stack: Stack): Vpc {
  return new Vpc(stack, 'Vpc', {
    ipAddresses: IpAddresses.cidr('10.20.0.0/16'),
    maxAzs: 2,
    natGateways: 1,
    subnetConfiguration: [
      { name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 24 },
      { name: 'private', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
    ],
    flowLogs: { all: { destination: FlowLogDestination.toCloudWatchLogs() } },
  })
}

function createAppStack(
  scope: CdkApp,
  stage: Stage,
  props: Pick<StepwrightAppProps, 'app' | 'vpc' | 'codeOf'>,
): Stack {
  const { app } = props
  const stack = new Stack(scope, `${app.name}-${stage}`, {
    description: `${app.name} (${stage})`,
    terminationProtection: stages[stage].keepData === true,
  })
  const topic = new Topic(stack, 'Alarms', { enforceSSL: true })
  // A policy of its own takes the place of the one that lets in whatever is in the account.
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
    }),
  )
  new StepwrightApp(stack, 'App', {
    ...props,
    ...stages[stage],
    stage,
    alarmTopic: topic,
    ...tokensOf(stack, Object.values(app.routes ?? {})),
  })
  return stack
}

/** Who issues the tokens is the account's affair: asked for when a stack with an API is deployed. */
function tokensOf(
  stack: Stack,
  routes: readonly ({ readonly streaming?: boolean } | undefined)[],
): Pick<StepwrightAppProps, 'jwt' | 'userPoolArn'> {
  const ask = (id: string, description: string): string =>
    new CfnParameter(stack, id, { type: 'String', description }).valueAsString
  if (routes.length === 0) return {}
  if (routes.some(route => route?.streaming))
    return { userPoolArn: ask('TokenPool', 'The ARN of the Cognito user pool') }
  return {
    jwt: {
      issuer: ask('TokenIssuer', 'Who issues tokens: https://…'),
      audience: ask('TokenAudience', 'Whom they are for'),
    },
  }
}
