import type { ServerResponse } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { toHttpProblem, toTaskError } from '@stepwright/errors'
import { type Sleep, sleep as sleepFor } from '@stepwright/errors/retry'
import { eventStreamHeaders, formatEvent, type ServerSentEvent, writeEvents } from './server-sent-events.ts'

export type { ServerSentEvent } from './server-sent-events.ts'

/** Opens the events, until `signal` aborts because their reader has left: `signal => followJob.run(input, ports, { signal })`. */
export type OpenEvents = (signal: AbortSignal) => Promise<AsyncIterable<ServerSentEvent> | undefined>

export interface SseOptions {
  /** A comment is sent this often, so that nobody on the way takes the connection for dead. @default 15 */
  readonly commentSeconds?: number
  /** How long a client waits before it comes back. @default 1000 */
  readonly retryMs?: number
  /** @default a timer */
  readonly sleep?: Sleep
}

/**
 * Sends server-sent events as a response of Node's `http`, and so of Express. Without events the answer is 204, and an
 * EventSource stops asking. A failure before the first event is a problem response, one afterwards an event `error`.
 */
export async function sendEvents(
  response: ServerResponse,
  open: OpenEvents,
  options: SseOptions = {},
): Promise<void> {
  const left = new AbortController()
  response.on('close', () => left.abort())
  await stream(open, left.signal, options, (status, headers, body) => {
    response.writeHead(status, headers)
    if (body !== undefined) response.write(body)
    return response
  })
  response.end()
}

/** The same as a `Response`, for Hono and other servers that speak Fetch. */
export async function toEventsResponse(open: OpenEvents, options: SseOptions = {}): Promise<Response> {
  const left = new AbortController()
  const body = new PassThrough()
  body.on('close', () => left.abort())
  return new Promise(resolve => {
    void stream(open, left.signal, options, (status, headers, text) => {
      if (text !== undefined) body.write(text)
      const content = status === 204 ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array>)
      resolve(new Response(content, { status, headers }))
      return body
    }).finally(() => body.end())
  })
}

/** Opens a response, with its whole body if that is all, and gives what takes the rest. */
type Respond = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body?: string,
) => NodeJS.WritableStream

async function stream(
  open: OpenEvents,
  signal: AbortSignal,
  { commentSeconds = 15, retryMs = 1000, sleep = sleepFor }: SseOptions,
  respond: Respond,
): Promise<void> {
  let opened: NodeJS.WritableStream | undefined
  try {
    const events = await open(signal)
    if (events === undefined) {
      respond(204, {})
      return
    }
    opened = respond(200, eventStreamHeaders)
    const pause = (over: AbortSignal): Promise<void> => sleep(commentSeconds * 1000, over)
    await writeEvents(opened, events, { retryMs, pause, signal })
  } catch (thrown) {
    const problem = toHttpProblem(toTaskError(thrown))
    if (opened) opened.write(formatEvent({ event: 'error', data: problem }))
    else respond(problem.status, { 'content-type': 'application/problem+json' }, JSON.stringify(problem))
  }
}
