/** One event of a stream of server-sent events. */
export interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface FollowOptions {
  /** Sent with each request: a token, for one. EventSource cannot send any. */
  readonly headers?: Readonly<Record<string, string>>
  /** Only what comes after this event. @default everything */
  readonly lastEventId?: string
  /** Ends the events, without an error. */
  readonly signal?: AbortSignal
  /** The pause before a stream that ended early is opened again. @default 1000 */
  readonly reconnectMs?: number
  /**
   * The URL of `getJob`: while there is no stream to be had, since too many watch or the server fails, it is asked for
   * the job every two seconds, and each change is an event `status`. @default none
   */
  readonly pollUrl?: string
  /** @default setTimeout */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The server refused the stream, and will refuse it again. */
export class StreamRefusedError extends Error {
  override readonly name = 'StreamRefusedError'
  readonly status: number

  constructor(status: number) {
    super(`the server refused the stream of events: ${status}`)
    this.status = status
  }
}

const finals: readonly unknown[] = ['COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED']

/** Whether a job has ended. */
export function isFinal({ status }: { readonly status?: unknown }): boolean {
  return finals.includes(status)
}

/**
 * The events of a job in their order, until its final status: also over streams that break or end before it, and
 * through failures of the server and the network.
 * @throws StreamRefusedError for 4xx, such as an expired token
 */
export async function* followJobEvents(
  url: string,
  { headers = {}, lastEventId, signal, reconnectMs = 1000, pollUrl, sleep = pause }: FollowOptions = {},
): AsyncGenerator<StreamEvent> {
  const ask = (from: string, more: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(from, { headers: { ...headers, ...more }, ...(signal && { signal }) })
  let seen = lastEventId
  let etag = ''
  /** Polls left before a stream is tried again. */
  let polls = 0
  for (; !signal?.aborted; await sleep(polls > 0 ? pollMs : reconnectMs, signal).catch(() => {})) {
    try {
      if (pollUrl !== undefined && polls > 0) {
        polls -= 1
        const response = await ask(pollUrl, etag === '' ? {} : { 'if-none-match': etag })
        refuse(response.status)
        if (!response.ok) continue
        etag = response.headers.get('etag') ?? ''
        const body = (await response.json()) as { data?: StreamEvent['data'] }
        const data = body.data ?? (body as StreamEvent['data'])
        yield { id: '', event: 'status', data }
        if (isFinal(data)) return
        continue
      }
      const response = await ask(url, seen === undefined ? {} : { 'last-event-id': seen })
      if (response.status === 204) return
      refuse(response.status)
      if (!response.ok || response.body === null) {
        polls = pollUrl === undefined ? 0 : pollsPerStream
        continue
      }
      for await (const event of readEvents(response.body)) {
        seen = event.id
        yield event
        if (event.event === 'status' && isFinal(event.data)) return
      }
    } catch (error) {
      if (error instanceof StreamRefusedError) throw error
      if (polls === 0 && pollUrl !== undefined) polls = pollsPerStream
    }
  }
}

const pollMs = 2000
const pollsPerStream = 5

function refuse(status: number): void {
  if (isRefusal(status)) throw new StreamRefusedError(status)
}

/** Timeouts and throttling pass; any other 4xx does not. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

/**
 * The events of one stream. A problem that ends it says nothing about the job: its reader sees a stream that ended
 * early, and comes back.
 */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseBlock(block)
        if (event?.event === 'error') return
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parseBlock(block: string): StreamEvent | undefined {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name) fields[name] = value
  }
  const { id = '', event = 'message', data } = fields
  return data === undefined ? undefined : { id, event, data: JSON.parse(data) }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', stop, { once: true })
    function done(): void {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop(): void {
      clearTimeout(timer)
      reject(signal?.reason)
    }
  })
}
