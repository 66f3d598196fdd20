import { type TaskError, toHttpProblem } from '@stepwright/errors'
import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import { type HttpInputOptions, mergeFields, refuseUnknownFields } from './http-input.ts'
import { type HttpEvent, parseHttpEvent } from './http-request.ts'
import { toProblemResponse } from './http-response.ts'
import { createInvocation, type InvocationOptions, type LambdaContext } from './invocation.ts'
import { powertoolsFor } from './powertools.ts'
import { eventStreamHeaders, formatEvent, type ServerSentEvent, writeEvents } from './server-sent-events.ts'
import type { AnyTask, Task } from './task.ts'

/**
 * A task whose result is a stream of events. It ends the stream when its signal aborts: the client has left, or the
 * function's time is up, and then the client comes back. Without a result nothing will ever come any more: the answer
 * is 204, and an EventSource stops asking.
 */
// biome-ignore lint/suspicious/noExplicitAny: whatever it takes
export type EventStreamTask = Task<any, AsyncIterable<ServerSentEvent> | undefined, any>

export interface EventStreamOptions<T extends EventStreamTask>
  extends InvocationOptions<T>,
    HttpInputOptions {
  /** A comment is sent this often, so that nobody on the way takes the connection for dead. @default 15 */
  readonly commentSeconds?: number
  /** How long a client waits before it comes back. @default 1000 */
  readonly retryMs?: number
  /** @default a timer */
  readonly sleep?: Sleep
}

export type { ServerSentEvent } from './server-sent-events.ts'

/** What a handler that streams writes to. */
export type ResponseStream = NodeJS.WritableStream

export type EventStreamHandler = (
  event: HttpEvent,
  stream: ResponseStream,
  context?: LambdaContext,
) => Promise<void>

/** The global of Lambda's runtime. */
interface StreamingRuntime {
  streamifyResponse<H>(handler: H): H
  readonly HttpResponseStream: { from(stream: ResponseStream, head: ResponseHead): ResponseStream }
}

interface ResponseHead {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
}

interface Call {
  readonly event: HttpEvent
  /** Opens the response; what is returned takes its body. */
  readonly open: (head: ResponseHead) => ResponseStream
  readonly gone: AbortSignal
}

/**
 * The task behind a route of API Gateway that streams, as server-sent events. What it throws before its first event
 * becomes a problem response with its class's status; afterwards, an event `error` with the problem, and the end.
 * @throws TypeError where there is no `awslambda.streamifyResponse`, as Lambda and the local cloud have
 */
export function toEventStreamHandler<T extends EventStreamTask>(
  task: T,
  options: EventStreamOptions<T> = {},
): EventStreamHandler {
  const { input = mergeFields, commentSeconds = 15, retryMs = 1000, sleep = sleepFor } = options
  const onInput = options.unknownFields === 'ignore' ? undefined : refuseUnknownFields
  const { streamifyResponse, HttpResponseStream } = runtimeOf(task.name)
  const behindHttp: AnyTask = {
    ...task,
    async run({ event, open, gone }: Call, ports, context) {
      const signal = AbortSignal.any([gone, ...(context?.signal ? [context.signal] : [])])
      const events = await task.run(input(parseHttpEvent(event)), ports, { ...context, signal, onInput })
      if (events === undefined) {
        open({ statusCode: 204, headers: {} }).write('')
        return
      }
      const stream = open({ statusCode: 200, headers: eventStreamHeaders })
      const pause = (over: AbortSignal): Promise<void> => sleep(commentSeconds * 1000, over)
      await writeEvents(stream, events, { retryMs, pause, signal })
    },
  }
  const invoke = createInvocation(behindHttp, powertoolsFor(task.name, options), result => result, options)

  return streamifyResponse(async (event: HttpEvent, stream: ResponseStream, context?: LambdaContext) => {
    const left = new AbortController()
    for (const end of ['close', 'error']) stream.on(end, () => left.abort())
    let opened: ResponseStream | undefined
    const open: Call['open'] = head => {
      opened = HttpResponseStream.from(stream, head)
      return opened
    }
    try {
      await invoke({ event, open, gone: left.signal }, context)
    } catch (error) {
      const instance = event.path ?? event.rawPath
      if (opened === undefined) {
        const { body, ...head } = toProblemResponse(error as TaskError, instance)
        open(head).write(body)
      } else {
        opened.write(formatEvent({ event: 'error', data: toHttpProblem(error as TaskError, { instance }) }))
      }
    }
    stream.end()
  })
}

function runtimeOf(name: string): StreamingRuntime {
  const { awslambda } = globalThis as unknown as { awslambda?: Partial<StreamingRuntime> }
  if (awslambda?.streamifyResponse && awslambda.HttpResponseStream) return awslambda as StreamingRuntime
  throw new TypeError(
    `${name} streams its response, which needs awslambda.streamifyResponse: Lambda and startApp have it`,
  )
}
