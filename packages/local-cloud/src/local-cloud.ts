import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import {
  CreateStateMachineCommand,
  ListStateMachinesCommand,
  SFNClient,
  UpdateStateMachineCommand,
} from '@aws-sdk/client-sfn'
import { type DynamoDb, startDynamoDb } from '@stepwright/local-dynamodb'
import { type Postgres, type PostgresOptions, startPostgres } from '@stepwright/local-postgres'
import { type S3, startS3 } from '@stepwright/local-s3'
import {
  type StepFunctions,
  type StepFunctionsOptions,
  startStepFunctions,
} from '@stepwright/local-step-functions'
import { setEnvironment, toEnvironment } from './cloud/environment.ts'
import { createRuleListener, type ObjectCreatedRule } from './cloud/object-created-rule.ts'
import { createS3Objects } from './cloud/s3-objects.ts'
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts'
import { type Mailbox, type MailboxOptions, startMailbox } from './mailbox.ts'

export interface LocalStateMachine {
  /** The definition, or the path of the file that holds it. */
  readonly definition: string | object
  /** @default 'STANDARD' */
  readonly type?: 'STANDARD' | 'EXPRESS'
  /** What stands for `${Name}` in the definition, as CDK and SAM put it in. */
  readonly substitutions?: Readonly<Record<string, string>>
}

export interface LocalCloudOptions {
  readonly buckets?: readonly string[]
  /** By name. Handlers may build their clients at the first call: the environment is set by then. */
  readonly functions?: StepFunctionsOptions['functions']
  /** By name. */
  readonly stateMachines?: Readonly<Record<string, LocalStateMachine>>
  /** What the HTTP gateway answers. @default no gateway */
  readonly gateway?: GatewayOptions
  readonly rules?: readonly ObjectCreatedRule[]
  readonly postgres?: PostgresOptions
  readonly mailbox?: MailboxOptions
  readonly onStatusChange?: StepFunctionsOptions['onStatusChange']
  /** Where everything but DynamoDB outlives `stop()`. @default nothing does */
  readonly dataDirectory?: string
  /** More variables for the apps: table names, bucket names. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface LocalCloud extends AsyncDisposable {
  readonly postgres: Postgres
  readonly s3: S3
  readonly dynamoDb: DynamoDb
  readonly mailbox: Mailbox
  readonly stepFunctions: StepFunctions
  readonly gateway: Gateway | undefined
  /** The variables that are set in this process until `stop()`; give them to child processes. */
  readonly environment: Readonly<Record<string, string>>
  stateMachineArn(name: string): string
  /** Ends everything, in the order in which nothing is missed. Later calls do nothing. */
  stop(): Promise<void>
}

/** Starts one machine's AWS on free loopback ports, with an app's resources, in about two seconds. */
export async function startLocalCloud(options: LocalCloudOptions = {}): Promise<LocalCloud> {
  const { dataDirectory, stateMachines = {}, rules = [] } = options
  const keep = (name: string) => (dataDirectory === undefined ? undefined : join(dataDirectory, name))
  await using started = new AsyncDisposableStack()
  if (dataDirectory !== undefined) await mkdir(dataDirectory, { recursive: true })

  const [postgres, s3, dynamoDb, mailbox] = await Promise.all([
    startPostgres({ ...withDirectory('dataDirectory', keep('postgres')), ...options.postgres }),
    startS3({ ...withDirectory('dataDirectory', keep('s3')), buckets: options.buckets ?? [] }),
    startDynamoDb(),
    startMailbox(options.mailbox),
  ])
  for (const service of [postgres, s3, dynamoDb, mailbox]) started.use(service)

  const { region, credentials } = s3
  const s3Client = started.adopt(new S3Client({ endpoint: s3.endpoint, region, credentials }), client =>
    client.destroy(),
  )
  const stepFunctions = started.use(
    await startStepFunctions({
      ...withDirectory('dataDirectory', keep('step-functions')),
      functions: options.functions ?? {},
      objects: createS3Objects(s3Client),
      ...(options.onStatusChange && { onStatusChange: options.onStatusChange }),
    }),
  )
  const environment = {
    ...toEnvironment({
      databaseUrl: postgres.url,
      s3: s3.endpoint,
      dynamoDb: dynamoDb.endpoint,
      stepFunctions: stepFunctions.endpoint,
      mailbox: mailbox.endpoint,
      region,
      credentials,
    }),
    ...options.environment,
  }
  started.defer(setEnvironment(environment))

  const client = started.adopt(new SFNClient(stepFunctions.clientConfig), sfn => sfn.destroy())
  const arns = await createStateMachines(client, stateMachines)
  const stateMachineArn = (name: string) => {
    const arn = arns.get(name)
    if (arn === undefined)
      throw new TypeError(`there is no state machine ${name}, only ${[...arns.keys()].join(', ')}`)
    return arn
  }
  s3.onObjectCreated(createRuleListener(rules, client, stateMachineArn))
  const gateway = options.gateway && started.use(await startGateway(options.gateway))

  const all = started.move()
  const stop = () => all.disposeAsync()
  return {
    postgres,
    s3,
    dynamoDb,
    mailbox,
    stepFunctions,
    gateway,
    environment,
    stateMachineArn,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function withDirectory<Key extends string>(
  key: Key,
  path: string | undefined,
): { readonly [K in Key]?: string } {
  return path === undefined ? {} : ({ [key]: path } as { readonly [K in Key]: string })
}

async function createStateMachines(
  client: SFNClient,
  machines: Readonly<Record<string, LocalStateMachine>>,
): Promise<Map<string, string>> {
  const { stateMachines: existing = [] } = await client.send(
    new ListStateMachinesCommand({ maxResults: 1000 }),
  )
  const arns = new Map(existing.map(({ name = '', stateMachineArn = '' }) => [name, stateMachineArn]))
  for (const [name, machine] of Object.entries(machines)) {
    const definition = await readDefinition(machine)
    const known = arns.get(name)
    if (known !== undefined) {
      await client.send(new UpdateStateMachineCommand({ stateMachineArn: known, definition }))
      continue
    }
    const { stateMachineArn = '' } = await client.send(
      new CreateStateMachineCommand({
        name,
        definition,
        type: machine.type ?? 'STANDARD',
        roleArn: 'arn:aws:iam::000000000000:role/local',
      }),
    )
    arns.set(name, stateMachineArn)
  }
  return arns
}

async function readDefinition({ definition, substitutions = {} }: LocalStateMachine): Promise<string> {
  const text =
    typeof definition !== 'string'
      ? JSON.stringify(definition)
      : definition.trimStart().startsWith('{')
        ? definition
        : await readFile(definition, 'utf8')
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => substitutions[name] ?? whole)
}
