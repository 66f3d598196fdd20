import { type FollowOptions, followJobEvents, type StreamEvent } from '@stepwright/progress/client'

export type { StreamEvent } from '@stepwright/progress/client'

/** A process as the API shows it. */
export interface ProcessView {
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

export interface Answer<Data = ProcessView> {
  readonly status: number
  readonly headers: Headers
  readonly success: boolean
  readonly data: Data
  /** Why it is no success. */
  readonly title?: string
  readonly detail?: string
}

/** The API of generations, for one user. */
export interface GenerationClient {
  call<Data = ProcessView>(
    method: string,
    path: string,
    body?: unknown,
    headers?: object,
  ): Promise<Answer<Data>>
  generate(type: string, params: unknown, more?: object, headers?: object): Promise<Answer>
  status(processId: string): Promise<Answer>
  /** The events of a process in their order, until its final status: also over streams that end before it. */
  events(
    processId: string,
    options?: Pick<FollowOptions, 'lastEventId' | 'signal'>,
  ): AsyncGenerator<StreamEvent>
  /** Waits for the end of a process. */
  ended(processId: string): Promise<ProcessView>
}

/** Breaks a goal down into sub-goals, then into actions, and tells of each part as soon as it is there. */
export async function breakDown(
  client: GenerationClient,
  goal: string,
  onPart: (progress: number, items: readonly string[]) => void,
): Promise<ProcessView> {
  const { data } = await client.generate('SUBGOAL_GENERATION', { goal, language: 'en' })
  const subgoals = await client.ended(data.processId)
  if (subgoals.status !== 'COMPLETED') return subgoals
  const next = await client.generate('ACTION_GENERATION', subgoals.result)
  for await (const { event, data: seen } of client.events(next.data.processId)) {
    if (event === 'part') onPart(Number(seen['progress']), seen['value'] as readonly string[])
  }
  return (await client.status(next.data.processId)).data
}

export interface GenerationClientOptions {
  /** Of the gateway; a page that it serves says `.`. */
  readonly endpoint: string
  readonly token: string
  /** @default setTimeout */
  readonly sleep?: FollowOptions['sleep']
}

export function createGenerationClient({
  endpoint,
  token,
  sleep,
}: GenerationClientOptions): GenerationClient {
  const api = `${endpoint}/api/ai/async`
  const authorization = `Bearer ${token}`
  const client: GenerationClient = {
    async call<Data>(method: string, path: string, body?: unknown, headers: object = {}) {
      const response = await fetch(`${api}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as Answer<Data>
      return { ...answer, status: response.status, headers: response.headers }
    },
    generate: (type, params, more = {}, headers = {}) =>
      client.call('POST', '/generate', { type, params, ...more }, headers),
    status: processId => client.call('GET', `/status/${processId}`),
    events: (processId, options) =>
      followJobEvents(`${api}/status/${processId}/events`, {
        ...options,
        headers: { authorization },
        pollUrl: `${api}/status/${processId}`,
        ...(sleep && { sleep }),
      }),
    async ended(processId) {
      let last: ProcessView | undefined
      for await (const { event, data } of client.events(processId)) {
        if (event === 'status') last = data as unknown as ProcessView
      }
      return last ?? (await client.status(processId)).data
    },
  }
  return client
}
