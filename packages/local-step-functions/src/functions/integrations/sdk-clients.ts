import { TaskFailure } from '@stepwright/asl-engine'

/** Where a service runs on this machine, and what it wants requests to be signed with. */
export interface IntegrationEndpoint {
  readonly endpoint: string
  /** @default any, for services that verify no signatures */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** The services that can run here. */
export type IntegratedService = 'dynamodb' | 's3' | 'sqs' | 'sns' | 'eventbridge' | 'lambda'

export type IntegrationEndpoints = Readonly<Partial<Record<IntegratedService, IntegrationEndpoint>>>

/** What a client's call brings back. */
export interface SdkAnswer {
  readonly output: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

export interface SdkClients {
  has(service: string): service is IntegratedService
  call(
    service: IntegratedService,
    action: string,
    parameters: unknown,
    signal: AbortSignal,
  ): Promise<SdkAnswer>
  /** Whether the service's API knows an error of that name. */
  knowsError(service: IntegratedService, name: string): boolean
  close(): void
}

type Module = Readonly<Record<string, unknown>>

interface Client {
  readonly middlewareStack: {
    add(
      middleware: (next: Handler) => Handler,
      options: { readonly step: 'deserialize'; readonly priority: 'high' },
    ): void
  }
  send(command: object, options: { readonly abortSignal: AbortSignal }): Promise<Record<string, unknown>>
  destroy(): void
}

type Handler = (given: unknown) => Promise<{
  readonly response: { readonly headers?: Readonly<Record<string, string>> }
  readonly output: Record<string, unknown>
}>

// Loaded when a state machine calls the service for the first time: nobody needs all of them.
const packages: Readonly<Record<IntegratedService, readonly [load: () => Promise<Module>, client: string]>> =
  {
    dynamodb: [() => import('@aws-sdk/client-dynamodb'), 'DynamoDBClient'],
    s3: [() => import('@aws-sdk/client-s3'), 'S3Client'],
    sqs: [() => import('@aws-sdk/client-sqs'), 'SQSClient'],
    sns: [() => import('@aws-sdk/client-sns'), 'SNSClient'],
    eventbridge: [() => import('@aws-sdk/client-eventbridge'), 'EventBridgeClient'],
    lambda: [() => import('@aws-sdk/client-lambda'), 'LambdaClient'],
  }

const anyCredentials = { accessKeyId: 'local', secretAccessKey: 'local' }

export function createSdkClients(endpoints: IntegrationEndpoints, region: string): SdkClients {
  const opened = new Map<IntegratedService, Promise<{ readonly client: Client; readonly module: Module }>>()
  const modules = new Map<IntegratedService, Module>()
  const headersOf = new WeakMap<object, Readonly<Record<string, string>>>()

  async function open(
    service: IntegratedService,
  ): Promise<{ readonly client: Client; readonly module: Module }> {
    const [load, name] = packages[service]
    const module = await load().catch(() => {
      throw new TaskFailure(
        'States.Runtime',
        `To call ${service} from a state machine, install @aws-sdk/client-${service}`,
      )
    })
    modules.set(service, module)
    const ClientOf = module[name] as new (config: object) => Client
    const { endpoint, credentials = anyCredentials } = endpoints[service] ?? { endpoint: '' }
    const client = new ClientOf({
      endpoint,
      region,
      credentials,
      maxAttempts: 1,
      forcePathStyle: true,
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
    client.middlewareStack.add(
      next => async given => {
        const answer = await next(given)
        headersOf.set(answer.output, answer.response.headers ?? {})
        return answer
      },
      { step: 'deserialize', priority: 'high' },
    )
    return { client, module }
  }

  return {
    has: (service): service is IntegratedService => Object.hasOwn(endpoints, service),
    async call(service, action, parameters, abortSignal) {
      const opening = opened.get(service) ?? open(service)
      opened.set(service, opening)
      const { client, module } = await opening
      const CommandOf = module[`${action[0]?.toUpperCase()}${action.slice(1)}Command`] as
        | (new (
            input: unknown,
          ) => object)
        | undefined
      if (CommandOf === undefined)
        throw new TaskFailure('States.Runtime', `There is no operation ${action} of ${service}`)
      const answer = await client.send(new CommandOf(parameters), { abortSignal })
      const { $metadata: _, ...output } = answer
      return { output, headers: headersOf.get(answer) ?? {} }
    },
    knowsError: (service, name) => typeof modules.get(service)?.[name] === 'function',
    close() {
      for (const opening of opened.values()) {
        opening.then(
          ({ client }) => client.destroy(),
          () => undefined,
        )
      }
      opened.clear()
    },
  }
}
