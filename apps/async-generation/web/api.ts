import { followJobEvents, type StreamEvent } from '@stepwright/progress/client'

export type GenerationType = 'SUBGOAL_GENERATION' | 'ACTION_GENERATION' | 'TASK_GENERATION'
export type Status = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'TIMEOUT' | 'CANCELLED'

/** A process as the API shows it. */
export interface Process {
  readonly processId: string
  readonly type: GenerationType
  readonly status: Status
  readonly progress: number
  readonly result: unknown
  readonly error: { readonly code: string; readonly message: string } | null
  readonly createdAt: string
}

export interface ProcessPage {
  readonly jobs: readonly Process[]
  readonly cursor?: string
}

/** What the API refused, in its own words. */
class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface Api {
  start(type: GenerationType, params: unknown): Promise<Process>
  cancel(processId: string): Promise<Process>
  retry(processId: string): Promise<Process>
  list(cursor?: string): Promise<ProcessPage>
  /** All events of a process, also over connections that break, until its final status. */
  follow(processId: string, signal: AbortSignal): AsyncGenerator<StreamEvent>
}

export function createApi(token: string): Api {
  const authorization = `Bearer ${token}`

  async function call<T>(method: string, path: string, body?: unknown, headers: object = {}): Promise<T> {
    const response = await fetch(`api/ai/async${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { data: T; detail?: string; message?: string }
    if (response.ok) return answer.data
    throw new ApiError(response.status, answer.detail ?? answer.message ?? String(response.status))
  }

  return {
    // A second click, or a request that the browser repeats, starts nothing twice.
    start: (type, params) =>
      call('POST', '/generate', { type, params }, { 'idempotency-key': crypto.randomUUID() }),
    cancel: processId => call('POST', `/cancel/${processId}`),
    retry: processId => call('POST', `/retry/${processId}`),
    list: cursor => call('GET', `?limit=10${cursor ? `&cursor=${cursor}` : ''}`),
    follow: (processId, signal) =>
      followJobEvents(`api/ai/async/status/${processId}/events`, { headers: { authorization }, signal }),
  }
}
