import { once } from 'node:events'

/** One event of a stream, as browsers' EventSource knows them. */
export interface ServerSentEvent {
  /** What a client that lost its connection names in `Last-Event-ID`. */
  readonly id?: string
  /** @default 'message' */
  readonly event?: string
  /** Any JSON. */
  readonly data: unknown
}

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
}

/** Its lines end with LF: a data of JSON has no line breaks of its own, and names and ids must not. */
export function formatEvent({ id, event, data }: ServerSentEvent): string {
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

export interface WriteEventsOptions {
  readonly retryMs: number
  /** Until the next comment is due; rejects on abort. */
  readonly pause: (signal: AbortSignal) => Promise<void>
  /** The reader has left, or the time is up. */
  readonly signal: AbortSignal
}

/** Writes events until there are no more or `signal` aborts, with a comment now and then. */
export async function writeEvents(
  stream: NodeJS.WritableStream,
  events: AsyncIterable<ServerSentEvent>,
  { retryMs, pause, signal }: WriteEventsOptions,
): Promise<void> {
  stream.write(`retry: ${retryMs}\n\n`)
  const over = new AbortController()
  const comments = commentOn(stream, () => pause(over.signal))
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
}

async function commentOn(stream: NodeJS.WritableStream, pause: () => Promise<void>): Promise<void> {
  try {
    for (;;) {
      await pause()
      stream.write(':\n\n')
    }
  } catch {
    // The stream is over.
  }
}
