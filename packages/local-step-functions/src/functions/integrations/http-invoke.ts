import { type ServiceCall, TaskFailure } from '@stepwright/asl-engine'

/** What a connection of EventBridge adds to requests. */
export interface HttpConnection {
  readonly headers?: Readonly<Record<string, string>>
  readonly queryParameters?: Readonly<Record<string, string>>
}

export type HttpConnections = Readonly<Record<string, HttpConnection>>

interface HttpParameters {
  readonly ApiEndpoint?: string
  readonly Method?: string
  readonly Headers?: Readonly<Record<string, string>>
  readonly QueryParameters?: Readonly<Record<string, unknown>>
  readonly RequestBody?: unknown
  readonly Transform?: { readonly RequestBodyEncoding?: string }
  readonly Authentication?: { readonly ConnectionArn?: string }
  readonly InvocationConfig?: { readonly ConnectionArn?: string }
}

const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/
const timeoutMs = 60_000

/** The `http:invoke` integration, as far as this machine: what is elsewhere needs a stand-in. */
export async function invokeHttp(call: ServiceCall, connections: HttpConnections): Promise<unknown> {
  const parameters = call.parameters as HttpParameters
  const { ApiEndpoint = '', Method = 'GET', Headers: given = {}, QueryParameters = {} } = parameters
  const url = toUrl(ApiEndpoint)
  const connection = connectionOf(parameters, connections)
  for (const [name, value] of Object.entries({ ...QueryParameters, ...connection.queryParameters })) {
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each))
  }
  const { body, contentType } = bodyOf(parameters)
  const headers = new Headers(contentType === undefined ? {} : { 'content-type': contentType })
  for (const [name, value] of Object.entries({ ...given, ...connection.headers })) headers.set(name, value)
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)])
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method: Method,
      headers,
      signal,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    })
    text = await response.text()
  } catch (error) {
    throw new TaskFailure('States.Http.Socket', (error as Error).message)
  }
  if (!response.ok) throw new TaskFailure(`States.Http.StatusCode.${response.status}`, text)
  return {
    Headers: Object.fromEntries([...response.headers].map(([name, value]) => [name, [value]])),
    ResponseBody: parseBody(text, response.headers.get('content-type') ?? ''),
    StatusCode: response.status,
    StatusText: response.statusText,
  }
}

function toUrl(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url && loopback.test(url.hostname)) return url
  throw new TaskFailure(
    'States.Runtime',
    "Here http:invoke reaches only this machine, and its ApiEndpoint is elsewhere. Give it a stand-in: standIns: { 'http:invoke': … }",
  )
}

function connectionOf(parameters: HttpParameters, connections: HttpConnections): HttpConnection {
  const arn = parameters.Authentication?.ConnectionArn ?? parameters.InvocationConfig?.ConnectionArn
  if (arn === undefined) return {}
  // `arn:aws:events:…:connection/name/id`
  const [, name = arn] = /:connection\/([^/]+)/.exec(arn) ?? []
  return connections[arn] ?? connections[name] ?? {}
}

function bodyOf({ RequestBody: body, Transform, Method = 'GET' }: HttpParameters): {
  readonly body?: string
  readonly contentType?: string
} {
  if (body === undefined || Method === 'GET' || Method === 'HEAD') return {}
  if (Transform?.RequestBodyEncoding === 'URL_ENCODED') {
    const form = new URLSearchParams(body as Record<string, string>)
    return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' }
  }
  return { body: typeof body === 'string' ? body : JSON.stringify(body), contentType: 'application/json' }
}

function parseBody(text: string, contentType: string): unknown {
  if (!/\bjson\b/.test(contentType)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
