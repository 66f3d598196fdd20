import { type RunningApp, type StartAppOptions, startApp } from '@stepwright/local-cloud'
import { app } from '../app.ts'
import type { LocalScript } from '../generators/local.ts'

export type RunningGenerations = RunningApp<keyof typeof app.functions, 'generation'>

/** Starts the app with the generator that writes texts without a model. */
export function startGenerations(
  script: LocalScript = {},
  { environment, ...options }: StartAppOptions = {},
): Promise<RunningGenerations> {
  const given = { POWERTOOLS_LOG_LEVEL: 'SILENT', LOCAL_SCRIPT: JSON.stringify(script), ...environment }
  return startApp(app, { ...options, environment: given })
}

export interface View {
  readonly processId: string
  readonly status: string
  readonly type: string
  readonly progress: number
  readonly result: Readonly<Record<string, unknown>> | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly retryOf: string | null
  readonly retryCount: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly estimatedCompletionTime: string
}

export interface Answer<Data = View> {
  readonly status: number
  readonly headers: Headers
  readonly success: boolean
  readonly data: Data
  readonly detail?: string
  readonly title?: string
}

export interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A user of the API, with a token of their own. */
export interface ApiUser {
  call<Data = View>(method: string, path: string, body?: unknown, headers?: object): Promise<Answer<Data>>
  generate(type: string, params: unknown, more?: object, headers?: object): Promise<Answer>
  status(processId: string): Promise<Answer>
  /** The events of a process, in their order, until the stream ends. */
  events(processId: string, options?: EventOptions): AsyncGenerator<StreamEvent>
  /** Waits for the end of a process. */
  ended(processId: string): Promise<View>
}

export interface EventOptions {
  readonly lastEventId?: string
  readonly signal?: AbortSignal
}

export function userOf({ gateway }: RunningGenerations, sub: string): ApiUser {
  if (gateway === undefined) throw new TypeError('the app has routes')
  const api = `${gateway.endpoint}/api/ai/async`
  const authorization = `Bearer ${gateway.issueToken({ sub })}`

  const user: ApiUser = {
    async call<Data>(method: string, path: string, body?: unknown, headers: object = {}) {
      const response = await fetch(`${api}${path}`, {
        method,
        headers: { authorization, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as Answer<Data>
      return { ...answer, status: response.status, headers: response.headers }
    },
    generate: (type, params, more = {}, headers = {}) =>
      user.call('POST', '/generate', { type, params, ...more }, headers),
    status: processId => user.call('GET', `/status/${processId}`),
    async *events(processId, { lastEventId, signal } = {}) {
      const response = await fetch(`${api}/status/${processId}/events`, {
        headers: { authorization, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
        ...(signal && { signal }),
      })
      if (response.status === 204) return
      if (!response.ok || response.body === null) throw new Error(`events: ${response.status}`)
      yield* parseEvents(response.body)
    },
    async ended(processId) {
      let last: View | undefined
      for await (const { event, data } of user.events(processId)) {
        if (event === 'status') last = data as unknown as View
      }
      return last ?? (await user.status(processId)).data
    },
  }
  return user
}

async function* parseEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let rest = ''
  for await (const text of body.pipeThrough(
    new TextDecoderStream() as never,
  ) as unknown as AsyncIterable<string>) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map(line => {
          const end = line.indexOf(': ')
          return end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end + 2)]
        }),
      )
      if (fields['data'] === undefined) continue
      yield { id: fields['id'] ?? '', event: fields['event'] ?? 'message', data: JSON.parse(fields['data']) }
    }
  }
}
