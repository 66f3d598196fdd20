import { flushCompileCache } from 'node:module'
import { finished } from 'node:stream/promises'
import { describeTrouble } from './describe-trouble.ts'
import { withFunctionVariables } from './function-variables.ts'
import { logStreamName } from './log-stream-name.ts'
import { recordPrinted } from './printed-log.ts'
import type {
  Answer,
  Beginning,
  Cancellation,
  FunctionFailure,
  Invocation,
  InvocationContext,
  StreamControl,
} from './protocol.ts'
import { awslambda, type ChunkSink, isStreaming, ResponseStream } from './response-stream.ts'
import { resolveSyncHost } from './sync-host.ts'

// Runs an app's handlers in a process of their own, which has the environment of a deployed function and nothing of
// the developer's. Ends with the process that started it, however that one ends.

resolveSyncHost()

type Handler = (event: unknown, context: object) => unknown
type StreamingHandler = (event: unknown, stream: ResponseStream, context: object) => unknown

interface OpenStream {
  isPaused: boolean
  /** Called when its reader has caught up. */
  resume?: () => void
}

const working = new Map<number, AbortController>()
const openStreams = new Map<number, OpenStream>()
Object.assign(globalThis, {
  awslambda,
  // Set by `@stepwright/task`, which tells of every failure as it was thrown.
  [Symbol.for('@stepwright/task failure')]: (task: string, error: unknown) =>
    process.send?.({ trouble: describeTrouble(task, error) }),
})

process.on('message', async (message: Invocation | Cancellation | StreamControl) => {
  if ('cancel' in message) {
    working.get(message.cancel)?.abort()
    return
  }
  if ('pause' in message || 'resume' in message) return controlStream(message)
  const controller = new AbortController()
  working.set(message.id, controller)
  const { result: answer, log } = await recordPrinted(
    () => withFunctionVariables(message.variables ?? {}, () => answerTo(message, controller.signal)),
    message.withLog,
  )
  working.delete(message.id)
  process.send?.(log === undefined ? answer : { ...answer, log })
  if (message.isCold) flushCompileCache() // it may be killed, and then writes nothing at its end
})
process.on('disconnect', () => process.exit())

async function answerTo(invocation: Invocation, signal: AbortSignal): Promise<Answer> {
  const { id, module, export: name, event, context, isCold } = invocation
  try {
    const handler = await load(module, name)
    if (isCold) process.send?.({ id, begun: true } satisfies Beginning)
    if (isStreaming(handler)) {
      return { id, result: await stream(handler as StreamingHandler, invocation, signal) }
    }
    const result = await handler(JSON.parse(event), context ? toLambdaContext(context) : { signal })
    return { id, result: stringify(result) }
  } catch (error) {
    return { id, error: error instanceof NamedFailure ? error.failure : toFailure(error) }
  }
}

/** What was streamed as a whole, if nobody reads it part by part. */
async function stream(
  handler: StreamingHandler,
  { id, event, context, streamed }: Invocation,
  signal: AbortSignal,
): Promise<string> {
  const collected: Buffer[] = []
  const collect: ChunkSink = (chunk, taken) => {
    collected.push(chunk)
    taken()
  }
  const response = new ResponseStream(streamed ? sendChunk(id) : collect)
  signal.addEventListener('abort', () => response.destroy())
  openStreams.set(id, { isPaused: false })
  try {
    await handler(JSON.parse(event), response, context ? toLambdaContext(context) : {})
    if (!response.destroyed) await finished(response.end())
  } finally {
    openStreams.delete(id)
  }
  return JSON.stringify(Buffer.concat(collected).toString('utf8'))
}

function sendChunk(id: number): ChunkSink {
  return (chunk, taken) => {
    process.send?.({ id, chunk: chunk.toString('base64') })
    const open = openStreams.get(id)
    if (open?.isPaused) open.resume = taken
    else taken()
  }
}

function controlStream(control: StreamControl): void {
  const open = openStreams.get('pause' in control ? control.pause : control.resume)
  if (open === undefined) return
  open.isPaused = 'pause' in control
  if (!open.isPaused) open.resume?.()
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
    logStreamName,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  }
}
