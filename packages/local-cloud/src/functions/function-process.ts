import { recordPrinted } from './printed-log.ts'
import type { Answer, Cancellation, FunctionFailure, Invocation, InvocationContext } from './protocol.ts'
import { resolveSyncHost } from './sync-host.ts'

// Runs an app's handlers in a process of their own, which has the environment of a deployed function and nothing of
// the developer's. Ends with the process that started it, however that one ends.

resolveSyncHost()

type Handler = (event: unknown, context: object) => unknown

const working = new Map<number, AbortController>()

process.on('message', async (message: Invocation | Cancellation) => {
  if ('cancel' in message) {
    working.get(message.cancel)?.abort()
    return
  }
  const controller = new AbortController()
  working.set(message.id, controller)
  const { result: answer, log } = await recordPrinted(
    () => answerTo(message, controller.signal),
    message.withLog,
  )
  working.delete(message.id)
  process.send?.(log === undefined ? answer : { ...answer, log })
})
process.on('disconnect', () => process.exit())

async function answerTo(
  { id, module, export: name, event, context }: Invocation,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const handler = await load(module, name)
    const result = await handler(JSON.parse(event), context ? toLambdaContext(context) : { signal })
    return { id, result: stringify(result) }
  } catch (error) {
    return { id, error: error instanceof NamedFailure ? error.failure : toFailure(error) }
  }
}

class NamedFailure extends Error {
  readonly failure: FunctionFailure

  constructor(errorType: string, errorMessage: string) {
    super(errorMessage)
    this.failure = { errorType, errorMessage, trace: [] }
  }
}

async function load(module: string, name: string): Promise<Handler> {
  let exported: Readonly<Record<string, unknown>>
  try {
    exported = await import(module)
  } catch (error) {
    throw new NamedFailure('Runtime.ImportModuleError', `Error: ${(error as Error).message}`)
  }
  const handler = exported[name]
  if (typeof handler === 'function') return handler as Handler
  throw new NamedFailure('Runtime.HandlerNotFound', `${name} is not a function that ${module} exports`)
}

function stringify(result: unknown): string {
  try {
    return JSON.stringify(result) ?? 'null'
  } catch (error) {
    throw new NamedFailure(
      'Runtime.JSONStringifyError',
      `Unable to stringify response body: ${(error as Error).message}`,
    )
  }
}

function toFailure(error: unknown): FunctionFailure {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] }
  const { name, message, stack = '' } = error
  return { errorType: name, errorMessage: message, trace: stack.split('\n') }
}

function toLambdaContext({ remainingMs, ...context }: InvocationContext): object {
  const deadline = Date.now() + remainingMs
  return {
    ...context,
    functionVersion: '$LATEST',
    logGroupName: `/aws/lambda/${context.functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  }
}
