import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import {
  type FunctionEnvironment,
  type FunctionEnvironmentOptions,
  startFunctionEnvironment,
} from './function-environment.ts'
import { logStreamName } from './log-stream-name.ts'
import type { Answer, FunctionFailure, InvocationContext } from './protocol.ts'

/** A function as Lambda knows it. */
export interface LambdaIdentity {
  readonly arn: string
  readonly memoryMb: number
  /** Where its module is, and which of its exports it is: `handlers.start`. */
  readonly handler: string
  /** The directory of its code. */
  readonly taskRoot: string
}

/** A function as the host runs it. */
export interface HostedFunction {
  /** The URL of its module. */
  readonly module: string
  readonly export: string
  readonly timeoutSeconds: number
  /** What Lambda's context and its runtime's variables say; absent for a stand-in. */
  readonly lambda?: LambdaIdentity
  readonly variables: Readonly<Record<string, string>>
}

export interface FunctionHostOptions extends FunctionEnvironmentOptions {
  readonly functions: Readonly<Record<string, HostedFunction>>
  /**
   * `app`: functions share a process, so that a first call is fast. `call`: as on Lambda, a process is one
   * function's and takes one event at a time, and is ended when the function takes too long. @default 'app'
   */
  readonly isolation?: Isolation
}

export type Isolation = 'app' | 'call'

/** As long as Lambda lets a function's code load. */
const maxLoadSeconds = 10

/** What only some callers ask for. */
export interface CallOptions {
  /** @default a new one */
  readonly requestId?: string
  readonly clientContext?: unknown
  /** Hears what the function printed, when it has answered. */
  readonly onPrinted?: (log: string) => void
  /** Reaches a stand-in. A function is never told. */
  readonly signal?: AbortSignal
  /** Takes what the function streams. */
  readonly stream?: Writable | undefined
}

export interface FunctionHost {
  /** @throws what the function threw, by its name; `Runtime.ExitError` if its process died */
  invoke(name: string, event: unknown, options?: CallOptions): Promise<unknown>
  /** Kills a process that is at work on that function; false if there is none. */
  kill(name: string): boolean
  end(): Promise<void>
  /** Ends when its last call has been answered. Nothing may be called any more. */
  retire(): Promise<void>
}

/** Runs functions in processes of their own, across the same JSON boundary as Lambda. */
export function createFunctionHost(options: FunctionHostOptions): FunctionHost {
  const { functions, isolation = 'app' } = options
  const environments: { readonly environment: FunctionEnvironment; readonly names: Set<string> }[] = []
  const running = new Map<FunctionEnvironment, string[]>()
  const calls = new Set<Promise<unknown>>()
  let ended = false

  /** One that may run the function: in the environment, a variable that it reads has its value. */
  const environmentFor = (name: string, hosted: HostedFunction): FunctionEnvironment => {
    const found = environments.find(
      ({ environment, names }) =>
        environment.alive && names.has(name) && (isolation === 'app' || environment.busy === 0),
    )
    if (found) return found.environment
    const names = new Set(isolation === 'app' ? compatible(functions, hosted) : [name])
    const variables = Object.assign({}, ...[...names].map(each => functions[each]?.variables))
    const environment = startFunctionEnvironment(variables, options)
    environments.push({ environment, names })
    return environment
  }

  const end = async (): Promise<void> => {
    ended = true
    await Promise.all(environments.map(({ environment }) => environment.end()))
  }

  return {
    async invoke(name, event, how = {}) {
      const hosted = functions[name]
      if (hosted === undefined) throw new TypeError(`there is no function ${name}`)
      if (ended)
        throw toError({ errorType: 'Runtime.ExitError', errorMessage: 'the cloud has stopped', trace: [] })
      const environment = environmentFor(name, hosted)
      const at = running.get(environment) ?? []
      running.set(environment, [...at, name])
      try {
        const begun = Promise.withResolvers<void>()
        const answered = settle(
          environment.call(
            {
              module: hosted.module,
              export: hosted.export,
              event: JSON.stringify(event) ?? 'null',
              ...(hosted.lambda && {
                context: contextOf(hosted.lambda, hosted.timeoutSeconds, how),
                variables: runtimeVariables(hosted.lambda),
              }),
              withLog: how.onPrinted !== undefined,
            },
            { ...how, onBegun: begun.resolve },
          ),
          begun.promise,
          hosted.timeoutSeconds,
          () => isolation === 'call' && environment.kill(),
          how.onPrinted,
        )
        calls.add(answered)
        return await answered.finally(() => calls.delete(answered))
      } finally {
        const now = running.get(environment) ?? []
        running.set(environment, now.toSpliced(now.indexOf(name), 1))
      }
    },
    kill(name) {
      const found = [...running].find(([, names]) => names.includes(name))
      found?.[0].kill()
      return found !== undefined
    },
    end,
    async retire() {
      await Promise.allSettled(calls)
      await end()
    },
  }
}

function contextOf(
  { arn, memoryMb }: LambdaIdentity,
  timeoutSeconds: number,
  { requestId = randomUUID(), clientContext }: CallOptions,
): InvocationContext {
  return {
    functionName: functionNameOf(arn),
    invokedFunctionArn: arn,
    awsRequestId: requestId,
    memoryLimitInMB: String(memoryMb),
    remainingMs: timeoutSeconds * 1000,
    ...(clientContext !== undefined && { clientContext }),
  }
}

/** The variables that Lambda reserves, and sets for every function. */
export function runtimeVariables({
  arn,
  memoryMb,
  handler,
  taskRoot,
}: LambdaIdentity): Record<string, string> {
  const functionName = functionNameOf(arn)
  return {
    _HANDLER: handler,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName,
    LAMBDA_TASK_ROOT: taskRoot,
  }
}

function functionNameOf(arn: string): string {
  return arn.split(':')[6] ?? ''
}

/** The functions whose variables do not contradict those of this one, or of each other. */
function compatible(functions: Readonly<Record<string, HostedFunction>>, first: HostedFunction): string[] {
  const merged = new Map(Object.entries(first.variables))
  return Object.entries(functions).flatMap(([name, { variables }]) => {
    const entries = Object.entries(variables)
    if (entries.some(([key, value]) => (merged.get(key) ?? value) !== value)) return []
    for (const [key, value] of entries) merged.set(key, value)
    return [name]
  })
}

/** As on Lambda, time to load the handler's module does not count. */
async function settle(
  answer: Promise<Answer>,
  begun: Promise<void>,
  timeoutSeconds: number,
  onLate: () => void,
  onPrinted: CallOptions['onPrinted'],
): Promise<unknown> {
  const late = Promise.withResolvers<never>()
  const giveUp = (): void => {
    onLate()
    const errorMessage = `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`
    late.reject(toError({ errorType: 'Sandbox.Timedout', errorMessage, trace: [] }))
  }
  let timer = setTimeout(giveUp, (maxLoadSeconds + timeoutSeconds) * 1000)
  let isOver = false
  void begun.then(() => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(giveUp, timeoutSeconds * 1000)
  })
  try {
    const { result, error, log = '' } = await Promise.race([answer, late.promise])
    onPrinted?.(log)
    if (error) throw toError(error)
    return JSON.parse(result ?? 'null')
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

function toError({ errorType, errorMessage, trace }: FunctionFailure): Error {
  const error = new Error(errorMessage)
  error.name = errorType
  error.stack = trace.join('\n')
  return error
}
