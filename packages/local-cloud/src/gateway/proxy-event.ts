import type { TokenClaims } from './jwt.ts'

/** What arrived, before it takes one of API Gateway's two shapes. */
export interface ProxyRequest {
  readonly method: string
  /** As the route writes it: `/campaigns/{id}`. */
  readonly resource: string
  readonly path: string
  /** As it was sent, without its question mark. */
  readonly rawQuery: string
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[]
  readonly pathParameters: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly claims: TokenClaims | undefined
  readonly requestId: string
  readonly timeMs: number
}

/** Format 1.0, of REST APIs. */
export function toRestEvent(request: ProxyRequest): Record<string, unknown> {
  const { method, resource, path, rawHeaders, pathParameters, claims, requestId, timeMs } = request
  const headers = listHeaders(rawHeaders)
  const query = queryOf(request.rawQuery)
  return {
    resource,
    path,
    httpMethod: method,
    headers: mapValues(headers, values => values.at(-1) ?? ''),
    multiValueHeaders: headers,
    queryStringParameters: orNull(mapValues(query, values => values.at(-1) ?? '')),
    multiValueQueryStringParameters: orNull(query),
    pathParameters: orNull(pathParameters),
    stageVariables: null,
    requestContext: {
      resourcePath: resource,
      httpMethod: method,
      path,
      stage: 'local',
      requestId,
      requestTimeEpoch: timeMs,
      identity: { sourceIp: '127.0.0.1' },
      // A REST API's authorizer turns every claim into text.
      ...(claims && {
        authorizer: {
          claims: Object.fromEntries(Object.entries(claims).map(([k, v]) => [k, String(v)])),
        },
      }),
    },
    ...bodyOf(request.body, headers['content-type']?.[0], { body: null }),
  }
}

/** Format 2.0, of HTTP APIs. */
export function toHttpApiEvent(request: ProxyRequest): Record<string, unknown> {
  const { method, resource, path, rawQuery, pathParameters, claims, requestId, timeMs } = request
  const { headers, cookies } = joinHeaders(request.rawHeaders)
  return {
    version: '2.0',
    routeKey: `${method} ${resource}`,
    rawPath: path,
    rawQueryString: rawQuery,
    ...(cookies.length > 0 && { cookies: cookies.flatMap(one => one.split(/; */)) }),
    headers,
    ...(rawQuery !== '' && {
      queryStringParameters: mapValues(queryOf(rawQuery), values => values.join(',')),
    }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      routeKey: `${method} ${resource}`,
      stage: '$default',
      requestId,
      timeEpoch: timeMs,
      http: {
        method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      ...(claims && { authorizer: { jwt: { claims, scopes: null } } }),
    },
    ...bodyOf(request.body, headers['content-type'], {}),
  }
}

const textual = /^(text\/|application\/(.*\+)?(json|xml)|application\/x-www-form-urlencoded)/

function bodyOf(
  body: Buffer,
  mediaType = 'application/json',
  none: { readonly body?: null },
): Record<string, unknown> {
  if (body.length === 0) return { ...none, isBase64Encoded: false }
  return textual.test(mediaType)
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true }
}

/** By name, with all values of one that was sent several times. */
function listHeaders(rawHeaders: readonly string[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase()
    lists[name] ??= []
    lists[name].push(String(rawHeaders[index + 1]))
  }
  return lists
}

/** By name, with all values of one in one text; cookies stand apart. */
function joinHeaders(rawHeaders: readonly string[]): {
  headers: Record<string, string>
  cookies: readonly string[]
} {
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase()
    const value = String(rawHeaders[index + 1])
    if (name === 'cookie') cookies.push(value)
    else headers[name] = name in headers ? `${headers[name]},${value}` : value
  }
  return { headers, cookies }
}

type Lists = Readonly<Record<string, readonly string[] | undefined>>

function queryOf(rawQuery: string): Lists {
  if (rawQuery === '') return {}
  const query = new URLSearchParams(rawQuery)
  return Object.fromEntries(Array.from(query.keys(), name => [name, query.getAll(name)]))
}

function mapValues(lists: Lists, join: (values: readonly string[]) => string): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const name in lists) joined[name] = join(lists[name] ?? [])
  return joined
}

function orNull<T extends object>(value: T): T | null {
  return Object.keys(value).length === 0 ? null : value
}
