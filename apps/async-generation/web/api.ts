import { createGenerationClient, type StreamEvent } from './client.ts'

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
  /** What it was started with, where one process was asked for. */
  readonly params?: unknown
}

/** A process in the history: without its result. */
export interface ListedProcess extends Omit<Process, 'result'> {
  readonly summary: { readonly goal: string }
}

export interface ProcessPage {
  readonly jobs: readonly ListedProcess[]
  readonly cursor?: string
}

/** What the API refused, in its own words. */
export class ApiError extends Error {
  readonly status: number
  /** The name of the error. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export interface Api {
  /** With the same key it starts nothing twice, however often it is sent. */
  start(type: GenerationType, params: unknown, key: string): Promise<Process>
  status(processId: string): Promise<Process>
  cancel(processId: string): Promise<Process>
  retry(processId: string): Promise<Process>
  list(cursor?: string): Promise<ProcessPage>
  /** All events of a process, also over connections that break, until its final status. */
  follow(processId: string, signal: AbortSignal): AsyncGenerator<StreamEvent>
}

/** The API as the page uses it: what is refused is thrown. */
export function createApi(token: string): Api {
  const client = createGenerationClient({ endpoint: '.', token })
  async function ask<T>(method: string, path: string, body?: unknown, headers?: object): Promise<T> {
    const { success, data, status, detail, title } = await client.call<T>(method, path, body, headers)
    if (success) return data
    throw new ApiError(status, title ?? `HTTP ${status}`, detail ?? title ?? String(status))
  }
  return {
    start: (type, params, key) => ask('POST', '/generate', { type, params }, { 'idempotency-key': key }),
    status: processId => ask('GET', `/status/${processId}`),
    cancel: processId => ask('POST', `/cancel/${processId}`),
    retry: processId => ask('POST', `/retry/${processId}`),
    list: cursor => ask('GET', `?limit=10${cursor ? `&cursor=${cursor}` : ''}`),
    follow: (processId, signal) => client.events(processId, { signal }),
  }
}
