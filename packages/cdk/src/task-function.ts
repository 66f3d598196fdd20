import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { functionDefaults } from '@stepwright/app'
import { bundleFunction } from '@stepwright/synth'
import type { AnyTask } from '@stepwright/task'
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import type { IVpc } from 'aws-cdk-lib/aws-ec2'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'

export interface TaskFunctionProps {
  /** The file that exports the handler. */
  readonly entry: string
  /** What it exports it as. @default 'handler' */
  readonly export?: string
  /** What the handler does: a `Workflow` that calls the function is checked against it. */
  readonly task: AnyTask
  /** @default 512 */
  readonly memoryMb?: number
  /** @default 25 */
  readonly timeoutSeconds?: number
  /** How many may run at once. @default as many as the account allows */
  readonly concurrency?: number
  readonly environment?: Readonly<Record<string, string>>
  readonly vpc?: IVpc
  /** @default a month */
  readonly logRetention?: RetentionDays
}

/** A Lambda function of a task: bundled by esbuild, Node 24 on arm64, traced, with logs that end. */
export class TaskFunction extends LambdaFunction {
  readonly task: AnyTask

  constructor(scope: Construct, id: string, props: TaskFunctionProps) {
    const { entry, task, environment, vpc, concurrency } = props
    const { memoryMb = functionDefaults.memoryMb, timeoutSeconds = functionDefaults.timeoutSeconds } = props
    const scratch = mkdtempSync(join(tmpdir(), 'stepwright-function-'))
    const place = { root: dirname(entry), module: basename(entry), export: props.export ?? 'handler' }
    const { directory } = bundleFunction(place, join(scratch, 'code'))
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: props.logRetention ?? RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    super(scope, id, {
      role: roleOf(scope, `${id}Role`, logGroup, vpc !== undefined),
      description: task.description ?? task.name,
      runtime: new Runtime('nodejs24.x'),
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(directory),
      memorySize: memoryMb,
      timeout: Duration.seconds(timeoutSeconds),
      tracing: Tracing.ACTIVE,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      ...(environment && { environment: { ...environment } }),
      ...(vpc && { vpc }),
      ...(concurrency !== undefined && { reservedConcurrentExecutions: concurrency }),
    })
    this.task = task
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** CDK's own would write to every log group; what else a function needs, `grant…` adds. */
function roleOf(scope: Construct, id: string, logGroup: LogGroup, inVpc: boolean): Role {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    ...(inVpc && {
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSLambdaVPCAccessExecutionRole'),
      ],
    }),
  })
  logGroup.grantWrite(role)
  return role
}
