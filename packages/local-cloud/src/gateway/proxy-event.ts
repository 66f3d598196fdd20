import type { TokenClaims } from './jwt.ts'

/** What arrived, before it takes one of API Gateway's two shapes. */
export interface ProxyRequest {
  readonly method: string
  /** As the route writes it: `/campaigns/{id}`. */
  readonly resource: string
  readonly path: string
  /** As it was sent, without its question mark. */
  readonly rawQuery: string
  /** Each with all its values, names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  readonly pathParameters: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly claims: TokenClaims | undefined
  readonly requestId: string
  readonly timeMs: number
}

/** Format 1.0, of REST APIs. */
export function toRestEvent(request: ProxyRequest): Record<string, unknown> {
  const { method, resource, path, headers, pathParameters, claims, requestId, timeMs } = request
  const query = new URLSearchParams(request.rawQuery)
  const names = [...new Set(query.keys())]
  return {
    resource,
    path,
    httpMethod: method,
    headers: mapValues(headers, values => values.at(-1) ?? ''),
    multiValueHeaders: headers,
    queryStringParameters: orNull(Object.fromEntries(query)),
    multiValueQueryStringParameters: orNull(
      Object.fromEntries(names.map(name => [name, query.getAll(name)])),
    ),
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
      authorizer: claims && {
        claims: Object.fromEntries(Object.entries(claims).map(([k, v]) => [k, String(v)])),
      },
    },
    ...bodyOf(request, null),
  }
}

/** Format 2.0, of HTTP APIs. */
export function toHttpApiEvent(request: ProxyRequest): Record<string, unknown> {
  const { method, resource, path, rawQuery, pathParameters, claims, requestId, timeMs } = request
  const { cookie: cookies = [], ...headers } = request.headers
  const query = new URLSearchParams(rawQuery)
  const names = [...new Set(query.keys())]
  return {
    version: '2.0',
    routeKey: `${method} ${resource}`,
    rawPath: path,
    rawQueryString: rawQuery,
    ...(cookies.length > 0 && { cookies: cookies.flatMap(one => one.split(/; */)) }),
    headers: mapValues(headers, values => values.join(',')),
    ...(names.length > 0 && {
      queryStringParameters: Object.fromEntries(names.map(name => [name, query.getAll(name).join(',')])),
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
        userAgent: headers['user-agent']?.[0] ?? '',
      },
      ...(claims && { authorizer: { jwt: { claims, scopes: null } } }),
    },
    ...bodyOf(request, undefined),
  }
}

function bodyOf({ body, headers }: ProxyRequest, none: null | undefined): Record<string, unknown> {
  if (body.length === 0) return { body: none, isBase64Encoded: false }
  const text = /^(text\/|application\/(.*\+)?(json|xml)|application\/x-www-form-urlencoded)/
  return text.test(headers['content-type']?.[0] ?? 'application/json')
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true }
}

function mapValues(
  headers: ProxyRequest['headers'],
  join: (values: readonly string[]) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values = []]) => [name, join(values)]))
}

function orNull<T extends object>(value: T): T | null {
  return Object.keys(value).length === 0 ? null : value
}
