import { readFileSync } from 'node:fs'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { checkWorkflow, parseDefinition, withSubstitutions } from '@stepwright/asl'
import { type KnownValues, type Statement, workflowPolicy } from '@stepwright/policy'
import { ArnFormat, Aws, RemovalPolicy, Stack, Token } from 'aws-cdk-lib'
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { CfnStateMachine, type IStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import type { TaskFunction } from './task-function.ts'
import { toMessages } from './to-messages.ts'

export interface WorkflowProps {
  /** The file of the definition: the one that was tested. */
  readonly definition: string
  /** @default CDK's own */
  readonly stateMachineName?: string
  /** The functions that `${Name}` stands for; the definition is checked against their tasks. */
  readonly functions?: Readonly<Record<string, TaskFunction>>
  /** What else `${Name}` stands for. */
  readonly substitutions?: Readonly<Record<string, string>>
  /** What an execution is started with. */
  readonly input?: StandardSchemaV1
  /** @default 'STANDARD' */
  readonly type?: 'STANDARD' | 'EXPRESS'
  /** What expressions can be at run time, where a permission depends on it. @default anything */
  readonly known?: KnownValues
  /** @default a month */
  readonly logRetention?: RetentionDays
  /** Whether the inputs and outputs of states are logged, with the tokens of tasks. @default false */
  readonly logsData?: boolean
}

/** Names have 80 characters; six tell those apart that are cut. */
const maxPathLength = 73

/**
 * A state machine from the file that was tested, with a role that has exactly what it needs, logs of everything and
 * traces. The definition is checked as it is synthesised, and an error fails the synthesis.
 */
export class Workflow extends Construct {
  readonly stateMachine: IStateMachine
  readonly resource: CfnStateMachine

  constructor(scope: Construct, id: string, props: WorkflowProps) {
    super(scope, id)
    const { definition, functions = {}, type = 'STANDARD', known } = props
    const text = readFileSync(definition, 'utf8')
    const substitutions = {
      ...Object.fromEntries(Object.entries(functions).map(([name, { functionArn }]) => [name, functionArn])),
      ...props.substitutions,
    }
    const used = Object.fromEntries(
      Object.entries(substitutions).filter(([name]) => text.includes(`\${${name}}`)),
    )
    const source = withSubstitutions(parseDefinition(text, { file: definition }), used)
    const name =
      props.stateMachineName ??
      `${this.node.path.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(-maxPathLength)}-${this.node.addr.slice(-6)}`
    const { document } = workflowPolicy(source.value, {
      stateMachineArn: Stack.of(this).formatArn({
        service: 'states',
        resource: 'stateMachine',
        resourceName: name,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
      logging: true,
      tracing: true,
      ...(known && { known }),
    })
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
      inlinePolicies: { needs: new PolicyDocument({ statements: document.Statement.map(toStatement) }) },
    })
    const logs = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/vendedlogs/states/${name}`,
      retention: props.logRetention ?? RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.resource = new CfnStateMachine(this, 'Resource', {
      stateMachineName: name,
      stateMachineType: type,
      definitionString: text,
      definitionSubstitutions: used,
      roleArn: role.roleArn,
      loggingConfiguration: {
        level: 'ALL',
        includeExecutionData: props.logsData ?? false,
        destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: logs.logGroupArn } }],
      },
      tracingConfiguration: { enabled: true },
    })
    this.stateMachine = StateMachine.fromStateMachineArn(this, 'StateMachine', this.resource.ref)
    this.node.addValidation({
      validate: () => {
        const synthesised: unknown = Stack.of(this).resolve(this.resource.definitionString)
        const tasks = Object.fromEntries(Object.entries(functions).map(([key, { task }]) => [key, task]))
        return toMessages(
          checkWorkflow(parseDefinition(String(synthesised), { file: definition }), {
            tasks,
            type,
            ...(props.input && { input: props.input }),
          }),
        )
      },
    })
  }
}

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': Aws.ACCOUNT_ID,
  'AWS::Partition': Aws.PARTITION,
  'AWS::Region': Aws.REGION,
  'AWS::URLSuffix': Aws.URL_SUFFIX,
}

function toStatement({ Sid, Action, Resource, Condition }: Statement): PolicyStatement {
  const withTokens = (text: string): string =>
    Token.asString(text).replaceAll(
      /\$\{(AWS::\w+)\}/g,
      (whole, name: string) => pseudoParameters[name] ?? whole,
    )
  return new PolicyStatement({
    sid: Sid,
    effect: Effect.ALLOW,
    actions: [...Action],
    resources: Resource.map(withTokens),
    ...(Condition && { conditions: Condition }),
  })
}
