import { once } from 'node:events'
import { type TaskError, toHttpProblem } from '@stepwright/errors'
import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import { type HttpInputOptions, mergeFields, refuseUnknownFields } from './http-input.ts'
import { type HttpEvent, parseHttpEvent } from './http-request.ts'
import { toProblemResponse } from './http-response.ts'
import { createInvocation, type InvocationOptions, type LambdaContext } from './invocation.ts'
import { powertoolsFor } from './powertools.ts'
import type { AnyTask, Task } from './task.ts'

/** One event of a stream, as browsers' EventSource knows them. */
export interface ServerSentEvent {
  /** What a client that lost its connection names in `Last-Event-ID`. */
  readonly id?: string
  /** @default 'message' */
  readonly event?: string
  /** Any JSON. */
  readonly data: unknown
}

/**
 * A task whose result is a stream of events. It ends the stream when its signal aborts: the client has left, or the
 * function's time is up, and then the client comes back. Without a result nothing will ever come any more: the answer
 * is 204, and an EventSource stops asking.
 */
// biome-ignore lint/suspicious/noExplicitAny: whatever it takes
export type EventStreamTask = Task<any, AsyncIterable<ServerSentEvent> | undefined, any>

export interface EventStreamOptions<T extends EventStreamTask, Settings = undefined>
  extends InvocationOptions<T, Settings>,
    HttpInputOptions {
  /** A comment is sent this often, so that nobody on the way takes the connection for dead. @default 15 */
  readonly commentSeconds?: number
  /** How long a client waits before it comes back. @default 1000 */
  readonly retryMs?: number
  /** @default a timer */
  readonly sleep?: Sleep
}

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
export function toEventStreamHandler<T extends EventStreamTask, Settings = undefined>(
  task: T,
  options: EventStreamOptions<T, Settings> = {},
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
      stream.write(`retry: ${retryMs}\n\n`)
      const over = new AbortController()
      const comments = commentOn(stream, () => sleep(commentSeconds * 1000, over.signal))
      try {
        for await (const one of events) {
          if (!stream.write(formatEvent(one))) await once(stream, 'drain', { signal })
        }
      } catch (error) {
        // A client that left, and a function whose time is up, end a stream as they should.
        if (!signal.aborted) throw error
      } finally {
        over.abort()
        await comments
      }
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

const eventStreamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

/** Its lines end with LF: a data of JSON has no line breaks of its own, and names and ids must not. */
function formatEvent({ id, event, data }: ServerSentEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${oneLine(id)}`]),
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    `data: ${JSON.stringify(data)}`,
  ]
  return `${lines.join('\n')}\n\n`
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\0]/g, ' ')
}

async function commentOn(stream: ResponseStream, pause: () => Promise<void>): Promise<void> {
  try {
    for (;;) {
      await pause()
      stream.write(':\n\n')
    }
  } catch {
    // The stream is over.
  }
}

function runtimeOf(name: string): StreamingRuntime {
  const { awslambda } = globalThis as unknown as { awslambda?: Partial<StreamingRuntime> }
  if (awslambda?.streamifyResponse && awslambda.HttpResponseStream) return awslambda as StreamingRuntime
  throw new TypeError(
    `${name} streams its response, which needs awslambda.streamifyResponse: Lambda and startApp have it`,
  )
}
