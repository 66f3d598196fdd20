import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type CallContext, functionMissing, type InvokeFunction, TaskFailure } from '@stepwright/asl-engine'

/** The part of Lambda's context that handlers use. */
export interface FunctionContext {
  readonly functionName: string
  readonly functionVersion: string
  readonly invokedFunctionArn: string
  readonly memoryLimitInMB: string
  readonly awsRequestId: string
  readonly logGroupName: string
  readonly logStreamName: string
  readonly callbackWaitsForEmptyEventLoop: boolean
  readonly getRemainingTimeInMillis: () => number
}

// biome-ignore lint/suspicious/noExplicitAny: a handler of any event
export type FunctionHandler = (event: any, context: any) => unknown

/** A handler in this process, or the module that exports it. */
export type RegisteredFunction =
  | FunctionHandler
  | {
      readonly handler?: FunctionHandler
      /** A path or URL to import. */
      readonly module?: string
      /** What the module exports it as. @default 'handler' */
      readonly export?: string
      /** @default 3, as Lambda's */
      readonly timeoutSeconds?: number
    }

/** A call of a function by a state. */
export interface FunctionCallByState {
  readonly requestId: string
  readonly functionName: string
  readonly executionArn: string
  readonly stateName: string
  /** 0 at first, 1 at the first retry. */
  readonly retryCount: number
}

export interface FunctionHostOptions {
  readonly functions: Readonly<Record<string, RegisteredFunction>>
  readonly now: () => number
  readonly uuid: () => string
  readonly onFunctionCall?: ((call: FunctionCallByState) => void) | undefined
}

const defaultTimeoutSeconds = 3

export interface FunctionHost {
  readonly invoke: InvokeFunction
  /** Resolves when no function works any more, or after so many milliseconds. */
  readonly atRest: (graceMs: number) => Promise<void>
}

/** `arn:aws:lambda:…:function:name:alias` → `name`. */
function nameOf(arn: string): string {
  return arn.split(':')[6] ?? arn
}

/**
 * Runs registered functions across the same JSON boundary as Lambda: the event is a copy, the answer has to survive
 * JSON, and a function that takes too long is given up.
 */
export function createFunctionHost({
  functions,
  now,
  uuid,
  onFunctionCall,
}: FunctionHostOptions): FunctionHost {
  const loaded = new Map<string, Promise<FunctionHandler>>()
  const working = new Set<Promise<unknown>>()
  const invoke: InvokeFunction = async (arn, payload, context) => {
    const name = nameOf(arn)
    const registered = functions[arn] ?? functions[name]
    if (registered === undefined) {
      throw functionMissing(arn, uuid())
    }
    const handler = typeof registered === 'function' ? registered : await loadOnce(loaded, name, registered)
    const timeoutSeconds =
      (typeof registered === 'function' ? undefined : registered.timeoutSeconds) ?? defaultTimeoutSeconds
    const requestId = uuid()
    const { executionArn, stateName, retryCount } = context
    onFunctionCall?.({ requestId, functionName: name, executionArn, stateName, retryCount })
    const deadlineMs = now() + timeoutSeconds * 1000
    const call = async (): Promise<unknown> =>
      handler(
        payload,
        lambdaContext(name, arn, requestId, () => deadlineMs - now()),
      )
    const answer = withTimeout(call, timeoutSeconds, requestId, context, work => {
      working.add(work)
      const done = (): boolean => working.delete(work)
      work.then(done, done)
    })
    return serialise(await answer)
  }
  return {
    invoke,
    atRest: async graceMs => {
      if (working.size === 0) return
      const patience = new AbortController()
      const grace = wait(graceMs, undefined, { signal: patience.signal }).catch(() => undefined)
      await Promise.race([Promise.allSettled(working), grace])
      patience.abort()
    },
  }
}

function loadOnce(
  loaded: Map<string, Promise<FunctionHandler>>,
  name: string,
  registered: Exclude<RegisteredFunction, FunctionHandler>,
): Promise<FunctionHandler> {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const loading = load(name, registered)
  loaded.set(name, loading)
  // A module that could not be loaded is tried again, as a new Lambda environment would.
  loading.catch(() => loaded.delete(name))
  return loading
}

async function load(
  name: string,
  { handler, module, export: exportName = 'handler' }: Exclude<RegisteredFunction, FunctionHandler>,
): Promise<FunctionHandler> {
  if (handler !== undefined) return handler
  const url = module === undefined || module.includes('://') ? module : pathToFileURL(module).href
  let exported: Readonly<Record<string, unknown>>
  try {
    exported = await import(url ?? '')
  } catch (cause) {
    throw new TaskFailure(
      'Runtime.ImportModuleError',
      JSON.stringify({
        errorType: 'Runtime.ImportModuleError',
        errorMessage: `Error: ${(cause as Error).message}`,
        trace: [],
      }),
    )
  }
  const found = exported[exportName]
  if (typeof found === 'function') return found as FunctionHandler
  throw new TaskFailure(
    'Runtime.HandlerNotFound',
    JSON.stringify({
      errorType: 'Runtime.HandlerNotFound',
      errorMessage: `${module}.${exportName} is undefined or not exported (function ${name})`,
      trace: [],
    }),
  )
}

async function withTimeout(
  call: () => Promise<unknown>,
  timeoutSeconds: number,
  requestId: string,
  context: CallContext,
  onWork: (work: Promise<unknown>) => void,
): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`
    timer = setTimeout(
      () =>
        reject(
          new TaskFailure(
            'Sandbox.Timedout',
            JSON.stringify({ errorType: 'Sandbox.Timedout', errorMessage }),
          ),
        ),
      timeoutSeconds * 1000,
    )
    context.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
  try {
    const work = call()
    onWork(work)
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function serialise(answer: unknown): unknown {
  if (answer === undefined) return null
  try {
    const text = JSON.stringify(answer)
    return text === undefined ? null : JSON.parse(text)
  } catch (cause) {
    const errorType = 'Runtime.JSONStringifyError'
    const errorMessage = `Unable to stringify response body: ${(cause as Error).message}`
    throw new TaskFailure(errorType, JSON.stringify({ errorType, errorMessage, trace: [] }))
  }
}

function lambdaContext(
  functionName: string,
  invokedFunctionArn: string,
  awsRequestId: string,
  remainingMs: () => number,
): FunctionContext {
  return {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn,
    memoryLimitInMB: '1024',
    awsRequestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, remainingMs()),
  }
}
