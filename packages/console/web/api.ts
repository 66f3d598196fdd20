import type { LiveMessage } from '../src/protocol.ts'

const place = 'stepwright-console-token'

/** From the address, as it was printed; then kept for this tab only, and taken out of sight. */
function readToken(): string {
  const url = new URL(location.href)
  const given = url.searchParams.get('token')
  if (given !== null) {
    sessionStorage.setItem(place, given)
    url.searchParams.delete('token')
    history.replaceState(null, '', url)
  }
  return sessionStorage.getItem(place) ?? ''
}

const token = readToken()

class ApiError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Query = Readonly<Record<string, string | number | undefined>>

function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return `/api/${path}?${search}`
}

async function send(path: string, query: Query, init: RequestInit = {}): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${token}` }
  const response = await fetch(addressOf(path, query), { ...init, headers })
  if (response.ok) return response
  const { message = response.statusText } = (await response.json().catch(() => ({}))) as { message?: string }
  throw new ApiError(response.status, message)
}

export async function get<T>(path: string, query: Query = {}): Promise<T> {
  return (await (await send(path, query)).json()) as T
}

export async function post<T>(path: string, body: object): Promise<T> {
  const response = await send(path, {}, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as T
}

export async function upload(bucket: string, key: string, body: Blob): Promise<void> {
  await send('object', { bucket, key }, { method: 'PUT', body })
}

const connection = new EventTarget()
let isConnected = true

function setConnected(value: boolean): void {
  if (value === isConnected) return
  isConnected = value
  connection.dispatchEvent(new Event('change'))
}

/** Hears whether the app can be reached. */
export function watchConnection(onChange: (isConnected: boolean) => void): () => void {
  const tell = (): void => onChange(isConnected)
  connection.addEventListener('change', tell)
  return () => connection.removeEventListener('change', tell)
}

/** What the stream tells, or that what came before it began may have been missed. */
export type HeardMessage = LiveMessage | { readonly topic: 'missed' }

/**
 * Hears what happens until it is ended. Server-sent events, read by hand: an EventSource could not send the token. A
 * tab that nobody sees does not listen, since a browser has no more than six connections to a server for all its tabs.
 */
export function listen(query: Query | (() => Query), onMessage: (message: HeardMessage) => void): () => void {
  const left = new AbortController()
  let shown = new AbortController()
  const run = async (): Promise<void> => {
    shown = new AbortController()
    const signal = AbortSignal.any([left.signal, shown.signal])
    const response = await send('live', typeof query === 'function' ? query() : query, { signal })
    setConnected(true)
    onMessage({ topic: 'missed' })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done = true, value = '' } = (await reader?.read()) ?? {}
      if (done) return
      const parts = (rest + value).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        if (part.startsWith('data: ')) onMessage(JSON.parse(part.slice(6)) as LiveMessage)
      }
    }
  }
  const keep = async (): Promise<void> => {
    while (!left.signal.aborted) {
      await seen(left.signal)
      await run().catch(() => setConnected(shown.signal.aborted || left.signal.aborted))
      if (!left.signal.aborted && !document.hidden) await new Promise(resolve => setTimeout(resolve, 1000))
    }
  }
  const hide = (): void => {
    if (document.hidden) shown.abort()
  }
  document.addEventListener('visibilitychange', hide, { signal: left.signal })
  void keep()
  return () => left.abort()
}

/** When somebody sees the page. */
async function seen(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted) {
    await new Promise(resolve => {
      document.addEventListener('visibilitychange', resolve, { once: true })
      signal.addEventListener('abort', resolve, { once: true })
    })
  }
}

export function save(name: string, content: string, type = 'application/json'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
