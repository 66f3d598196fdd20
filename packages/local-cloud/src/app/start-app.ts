import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { type App, physicalNames, resolveEnvironment } from '@stepwright/app'
import { type PublishedEvent, startEventBridge } from '@stepwright/local-eventbridge'
import { createScratch, type TargetEndpoints } from '@stepwright/local-server'
import { startSns } from '@stepwright/local-sns'
import type {
  ExecutionLogOptions,
  HttpConnections,
  StatusChangeEvent,
} from '@stepwright/local-step-functions'
import { bundleSite } from '@stepwright/synth/site'
import { limitConcurrency } from '../functions/concurrency.ts'
import {
  type CallOptions,
  createFunctionHost,
  type FunctionHost,
  type Isolation,
  runtimeVariables,
} from '../functions/function-host.ts'
import type { TaskTrouble } from '../functions/protocol.ts'
import { startRefusingPlace } from '../functions/refusing-place.ts'
import { isolatingVariables, machineVariables, sdkVariables } from '../functions/sdk-variables.ts'
import { type AnsweredRequest, type Gateway, startGateway } from '../gateway.ts'
import { startLambda } from '../lambda/lambda.ts'
import { createLocalRoles, type StatementsOf } from '../roles/local-roles.ts'
import { serveSite } from '../site/serve-site.ts'
import { startTriggers } from '../triggers/start-triggers.ts'
import { openStreamPositions } from '../triggers/stream-positions.ts'
import { createQueues } from './create-queues.ts'
import { createTables } from './create-tables.ts'
import { deployWorkflows } from './deploy-workflows.ts'
import { createExecutionEnds } from './execution-ends.ts'
import { createFunctionCalls, type FunctionCall } from './function-calls.ts'
import { routesOf } from './gateway-routes.ts'
import {
  declaredConcurrency,
  hostedFunctions,
  lambdaFunctions,
  lambdaIdentity,
  modulesOf,
} from './hosted-functions.ts'
import { hostedStandIns } from './hosted-stand-ins.ts'
import { keepFailedEvents } from './keep-failed-events.ts'
import { placesOf, region } from './places.ts'
import { portsFrom } from './ports.ts'
import type { Interceptor, RunningApp } from './running-app.ts'
import { startExecutions } from './start-executions.ts'
import { type LocalServices, type ServiceOptions, startServices } from './start-services.ts'

export interface StartAppOptions extends ServiceOptions {
  /** Variables for every function, over those that the app declares: a smaller limit, another rate. */
  readonly environment?: Readonly<Record<string, string>>
  /** Other definitions than those that are deployed, to compare with. */
  readonly definitions?: Readonly<Record<string, object>>
  /**
   * Modules that export a function's replacement under the function's own name, in tests:
   * `export const SendBatch = deployed.SendBatch.with({ mailer: fake }, process.env)`. @default none
   */
  readonly replace?: Readonly<Record<string, URL>>
  /** @default 'app' */
  readonly isolation?: Isolation
  /** What connections of `http:invoke` add to requests, by name or ARN. @default nothing */
  readonly connections?: HttpConnections
  /** For the Node that runs functions, e.g. `--import` of a loader. */
  readonly execArgv?: readonly string[]
  /**
   * Whether services refuse what the app's policies do not allow, each function by a role of its own. A function may
   * say which statements a role has, to see what fails without one. @default false
   */
  readonly enforcePolicies?: boolean | StatementsOf
  /** Hears each line that functions print. */
  readonly onLog?: (line: string) => void
  /** Called with each failure of a task, with all of its messages: for a terminal, not for a log. */
  readonly onTrouble?: (trouble: TaskTrouble) => void
  /** Where executions are logged, as AWS does in CloudWatch. @default nowhere */
  readonly executionLog?: ExecutionLogOptions
  /** Keeps the latest Express executions in memory, so that their history can be read, which AWS's cannot. @default false */
  readonly expressHistory?: boolean
  /** Hears of every call of a function, when it has answered. */
  readonly onCall?: (call: FunctionCall) => void
  /** Hears of every request to the gateway, when it has been answered. */
  readonly onRequest?: (request: AnsweredRequest) => void
  /** Hears of every change of an execution's status, as EventBridge would. */
  readonly onStatusChange?: (event: StatusChangeEvent) => void
}

/**
 * Starts an app on free loopback ports: its services, its resources, its functions in a process of their own, its
 * workflows, routes and triggers. No function runs before its environment is complete and the database migrated.
 */
export async function startApp(app: App, options: StartAppOptions = {}): Promise<RunningApp> {
  const { dataDirectory, definitions = {}, onStatusChange } = options
  const modules = modulesOf(app, options.replace)
  const names = physicalNames(app)
  const portOf = portsFrom(options.firstPort)
  await using started = new AsyncDisposableStack()
  const roles = options.enforcePolicies
    ? createLocalRoles(
        app,
        placesOf(app, names, { databaseUrl: () => '', queueUrl: name => name, apiUrl: () => '' }),
        definitions,
        ...(typeof options.enforcePolicies === 'function' ? [options.enforcePolicies] : []),
      )
    : undefined
  const bundling = app.site && bundleSite(new URL(app.site.directory, app.root))
  bundling?.catch(() => {}) // it is heard of when the services have started, and can be stopped
  const scratching = createScratch('functions')
  scratching.catch(() => {}) // likewise
  started.defer(() =>
    scratching.then(
      scratch => scratch.remove(),
      () => {},
    ),
  )
  // Services create their own folders in it with mode 0700. This one stays open: PostgreSQL may be another user.
  if (dataDirectory !== undefined) await mkdir(dataDirectory, { recursive: true })
  // Before the services, whose events it keeps from the first one on, and stopped after them.
  const targets: TargetEndpoints = {}
  const eventBridge = started.use(
    await startEventBridge({
      ...portOf('eventBridge'),
      targets,
      paused: true,
      ...(dataDirectory !== undefined && { dataDirectory: join(dataDirectory, 'events') }),
      ...options.clock,
      refusalOf: ({ accessKeyId, operation, input }) =>
        roles?.refusalOf(accessKeyId, 'aws-sdk:eventbridge', operation, input),
    }),
  )
  const publish = (event: PublishedEvent): void => void eventBridge.publish(event)
  const services = await startServices(app, names, { ...options, publish }, started, roles)
  const site = await bundling
  const { path: scratchDirectory } = await scratching

  const ends = createExecutionEnds()
  const interceptors = new Map<string, Interceptor>()
  let host: FunctionHost | undefined
  let standIns: FunctionHost | undefined
  let gateway: Gateway | undefined
  // Before the executions, which must be stopped first: no task may fail because its function went away.
  started.defer(async () => {
    await Promise.all([host?.end(), standIns?.end()])
  })
  const calls = createFunctionCalls(options.onCall)
  const limited = limitConcurrency(name => declaredConcurrency(app, name))
  const call = (name: string, event: unknown, how: CallOptions = {}): Promise<unknown> => {
    const invoke = () =>
      calls.run(name, how, async asked => (how.signal ? standIns : host)?.invoke(name, event, asked))
    return limited(name, async () => interceptors.get(name)?.(invoke, event) ?? invoke())
  }

  const places = placesOf(app, names, {
    databaseUrl: () => services.postgres.url,
    queueUrl: services.sqs.queueUrl,
    apiUrl: () => gateway?.endpoint ?? '',
  })
  const lambda = started.use(
    await startLambda({
      ...portOf('lambda'),
      functions: lambdaFunctions(app, places, call),
      paused: true,
      ...(dataDirectory !== undefined && { eventFile: join(dataDirectory, 'lambda', 'events.jsonl') }),
      ...options.clock,
      onFailure: keepFailedEvents(app, places, services.sqs),
      refusalOf: (accessKeyId, FunctionName) =>
        roles?.refusalOf(accessKeyId, 'lambda', 'Invoke', { FunctionName }),
    }),
  )

  const refusing = started.adopt(await startRefusingPlace(), place => place.close())
  const sns = started.use(
    await startSns({
      ...portOf('sns'),
      targets: { lambda: lambda.endpoint, sqs: services.sqs.endpoint },
      ...(dataDirectory !== undefined && { dataDirectory: join(dataDirectory, 'sns') }),
      refusalOf: ({ accessKeyId, operation, input }) =>
        roles?.refusalOf(accessKeyId, 'aws-sdk:sns', operation, input),
    }),
  )
  const stepFunctions = await startExecutions(
    app,
    names,
    services,
    {
      ...portOf('stepFunctions'),
      ...(dataDirectory !== undefined && { dataDirectory }),
      ...(options.executionLog !== undefined && { executionLog: options.executionLog }),
      ...(options.expressHistory !== undefined && { expressHistory: options.expressHistory }),
      ...(options.connections && { connections: options.connections }),
      ...(roles && { guard: roles.guard }),
      endpoints: {
        dynamodb: services.dynamoDb,
        s3: services.s3,
        sqs: services.sqs,
        sns,
        eventbridge: eventBridge,
        lambda,
      },
      call,
      onFunctionCall: calls.hear,
      onStatusChange(event) {
        ends.hear(event)
        onStatusChange?.(event)
        publish(event)
      },
    },
    started,
  )
  Object.assign(targets, {
    lambda: lambda.endpoint,
    sns: sns.endpoint,
    sqs: services.sqs.endpoint,
    stepFunctions: stepFunctions.endpoint,
  } satisfies TargetEndpoints)
  const environment = {
    ...sdkVariables({
      s3: services.s3.endpoint,
      dynamoDb: services.dynamoDb.endpoint,
      stepFunctions: stepFunctions.endpoint,
      lambda: lambda.endpoint,
      sqs: services.sqs.endpoint,
      sns: sns.endpoint,
      eventBridge: eventBridge.endpoint,
      mailbox: services.mailbox.endpoint,
      refusing: refusing.endpoint,
      region,
      credentials: services.s3.credentials,
    }),
  }
  const environmentOf = (name: string): Record<string, string> => ({
    ...machineVariables(process.env),
    ...isolatingVariables,
    ...environment,
    ...toVariables(roles?.credentialsOf(name)),
    ...resolveEnvironment(app, name, places),
    ...options.environment,
  })
  // Functions are told where it is; whoever calls before the rest is there waits, unless it never will be.
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => {})
  const routes = routesOf(app, async (name, event, how) => {
    await ready.promise
    return call(name, event, how)
  })
  if (routes.length > 0 || site !== undefined) {
    // Only REST APIs stream.
    const api = routes.some(({ streaming }) => streaming) ? 'rest' : 'http'
    gateway = started.use(
      await startGateway({
        routes,
        api,
        ...portOf('gateway'),
        ...(site && { site: serveSite(site, [services.s3.endpoint]) }),
        ...(options.onRequest && { onRequest: options.onRequest }),
      }),
    )
    started.defer(() => ready.reject(new Error('the app has not started')))
  }
  const startHost = (): FunctionHost =>
    createFunctionHost({
      ...options,
      scratchDirectory,
      functions: hostedFunctions(app, modules, places, environmentOf),
    })
  host = startHost()
  // Killing a job must not kill the functions beside it.
  standIns = createFunctionHost({
    ...options,
    scratchDirectory,
    functions: hostedStandIns(app, environmentOf),
    isolation: 'call',
  })

  const client = started.adopt(new SFNClient(stepFunctions.clientConfig), sfn => sfn.destroy())
  await Promise.all([
    app.database && call(app.database.migratedBy, {}),
    createTables(app, services.dynamoDb),
    createQueues(app, names, services.sqs),
    deployWorkflows(app, client, places, definitions),
  ])

  const start = async (workflow: string, input: unknown, name?: string): Promise<string> => {
    const { executionArn = '' } = await client.send(
      new StartExecutionCommand({
        stateMachineArn: places.workflowArn(workflow),
        input: JSON.stringify(input),
        ...(name !== undefined && { name }),
      }),
    )
    return executionArn
  }
  const triggers = started.use(
    await startTriggers(app, {
      places,
      eventBridgeEndpoint: eventBridge.endpoint,
      sqs: services.sqs,
      dynamoDbEndpoint: services.dynamoDb.endpoint,
      positions: openStreamPositions(
        dataDirectory === undefined ? undefined : join(dataDirectory, 'lambda', 'stream-positions.json'),
      ),
      ...(options.clock && { sleep: options.clock.sleep }),
      queueNames: names.queues,
      call,
      send: (name, event) => lambda.send(names.functions[name] ?? '', event),
      start,
    }),
  )
  stepFunctions.run()
  lambda.run()
  eventBridge.run()
  // Events that come later stay for the next start: none may find its target gone.
  started.defer(() => lambda.pause())
  started.defer(() => eventBridge.pause())
  // Nothing comes in any more before the rest ends.
  started.defer(async () => gateway?.stop())
  ready.resolve()

  const all = started.move()
  const stop = () => all.disposeAsync()
  return {
    services: { ...services, stepFunctions, lambda, sns, eventBridge },
    gateway,
    names,
    environment: { ...environment, ...(app.database && { DATABASE_URL: services.postgres.url }) },
    environmentOf: name => ({
      ...environmentOf(name),
      ...runtimeVariables(lambdaIdentity(app, places, name)),
    }),
    stateMachineArn: places.workflowArn,
    invoke: (name, event) => call(name, event),
    fire: triggers.fire,
    start,
    ended: (workflow, name) => ends.next(places.workflowArn(workflow), name),
    intercept(name, interceptor) {
      if (interceptor) interceptors.set(name, interceptor)
      else interceptors.delete(name)
    },
    async reload() {
      await deployWorkflows(app, client, places, definitions)
      const before = host
      host = startHost()
      await before?.retire()
    },
    kill: name => (host?.kill(name) || standIns?.kill(name)) ?? false,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function toVariables(credentials: LocalServices['s3']['credentials'] | undefined): Record<string, string> {
  if (credentials === undefined) return {}
  const { accessKeyId, secretAccessKey } = credentials
  return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
}
