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
  /** The gateway's own. */
  readonly port: number
}

const accountId = '000000000000'
const apiId = 'local'
const restStage = 'local'
const protocol = 'HTTP/1.1'
const sourceIp = '127.0.0.1'

/** Format 1.0, of REST APIs. */
export function toRestEvent(request: ProxyRequest): Record<string, unknown> {
  const { method, resource, path, pathParameters, claims, requestId, timeMs } = request
  const { lists, spelling } = listHeaders(request)
  const headers = mapValues(lists, values => values.at(-1) ?? '')
  const query = queryOf(request.rawQuery)
  const sent = (name: string): string => headers[spelling.get(name) ?? ''] ?? ''
  return {
    resource,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: lists,
    queryStringParameters: orNull(mapValues(query, values => values.at(-1) ?? '')),
    multiValueQueryStringParameters: orNull(query),
    pathParameters: orNull(pathParameters),
    stageVariables: null,
    requestContext: {
      accountId,
      apiId,
      ...domainOf(sent('host')),
      extendedRequestId: requestId,
      httpMethod: method,
      identity: { ...nobody, sourceIp, userAgent: sent('user-agent') },
      path: `/${restStage}${path}`,
      protocol,
      requestId,
      requestTime: toRequestTime(timeMs),
      requestTimeEpoch: timeMs,
      resourceId: resource,
      resourcePath: resource,
      stage: restStage,
      // A REST API's authorizer turns every claim into text.
      ...(claims && {
        authorizer: {
          claims: Object.fromEntries(Object.entries(claims).map(([k, v]) => [k, String(v)])),
        },
      }),
    },
    // Text in any case, as where no binary media types are set, which is how an app is deployed.
    body: request.body.length === 0 ? null : request.body.toString('utf8'),
    isBase64Encoded: false,
  }
}

/** Who a caller is to IAM and Cognito, as for one who comes with a token. */
const nobody = {
  accessKey: null,
  accountId: null,
  caller: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
}

/** Format 2.0, of HTTP APIs. */
export function toHttpApiEvent(request: ProxyRequest): Record<string, unknown> {
  const { method, resource, path, rawQuery, pathParameters, claims, requestId, timeMs } = request
  const { headers, cookies } = joinHeaders(request)
  const routeKey = `${method} ${resource}`
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: rawQuery,
    ...(cookies.length > 0 && { cookies: cookies.flatMap(one => one.split(/; */)) }),
    headers,
    ...(rawQuery !== '' && {
      queryStringParameters: mapValues(queryOf(rawQuery), values => values.join(',')),
    }),
    ...(hasKeys(pathParameters) && { pathParameters }),
    requestContext: {
      accountId,
      apiId,
      ...(claims && { authorizer: { jwt: { claims, scopes: null } } }),
      ...domainOf(headers['host'] ?? ''),
      http: { method, path, protocol, sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId,
      routeKey,
      stage: '$default',
      time: toRequestTime(timeMs),
      timeEpoch: timeMs,
    },
    ...(request.body.length > 0 && bodyOf(request.body, headers['content-type'])),
    ...(request.body.length === 0 && { isBase64Encoded: false }),
  }
}

/** All that an HTTP API takes for text: not forms, not `application/problem+json`, and not what has no type. */
const textual = /^(text\/[^;]*|application\/(json|xml|javascript))\s*(;|$)/i

function bodyOf(body: Buffer, mediaType = ''): Record<string, unknown> {
  return textual.test(mediaType)
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true }
}

/** With its port, so that a handler that makes a URL of it makes one that works. */
function domainOf(host: string): { readonly domainName: string; readonly domainPrefix: string } {
  const end = host.indexOf('.')
  return { domainName: host, domainPrefix: end < 0 ? host : host.slice(0, end) }
}

let lastTime = { second: Number.NaN, text: '' }

/** As in the log of a web server, `16/Nov/2026:02:58:00 +0000`: written once a second. */
function toRequestTime(timeMs: number): string {
  const second = Math.floor(timeMs / 1000)
  if (second !== lastTime.second) {
    const [, day, month, year, time] = new Date(timeMs).toUTCString().split(' ')
    lastTime = { second, text: `${day}/${month}/${year}:${time} +0000` }
  }
  return lastTime.text
}

/** What API Gateway says of the connection, in place of what the client says, but for its list of addresses. */
function forwarded(
  { port, requestId, timeMs }: ProxyRequest,
  addresses: string | undefined,
): [string, string][] {
  const id = requestId.replaceAll('-', '').slice(0, 24)
  return [
    ['X-Amzn-Trace-Id', `Root=1-${Math.floor(timeMs / 1000).toString(16)}-${id}`],
    ['X-Forwarded-For', addresses === undefined ? sourceIp : `${addresses}, ${sourceIp}`],
    ['X-Forwarded-Port', String(port)],
    ['X-Forwarded-Proto', 'http'],
  ]
}

/** By name as the client spelled it first, with all values of one that was sent several times. */
function listHeaders(request: ProxyRequest): {
  lists: Record<string, string[]>
  spelling: ReadonlyMap<string, string>
} {
  const { rawHeaders } = request
  const lists: Record<string, string[]> = {}
  const spelling = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = String(rawHeaders[index])
    const lower = given.toLowerCase()
    const name = spelling.get(lower) ?? given
    spelling.set(lower, name)
    const values = Object.hasOwn(lists, name) ? lists[name] : undefined
    if (values) values.push(String(rawHeaders[index + 1]))
    else lists[name] = [String(rawHeaders[index + 1])]
  }
  const addresses = lists[spelling.get('x-forwarded-for') ?? '']?.join(', ')
  for (const [name, value] of forwarded(request, addresses)) {
    const lower = name.toLowerCase()
    delete lists[spelling.get(lower) ?? '']
    spelling.set(lower, name)
    lists[name] = [value]
  }
  return { lists, spelling }
}

/** By name, with all values of one in one text; cookies stand apart. */
function joinHeaders(request: ProxyRequest): {
  headers: Record<string, string>
  cookies: readonly string[]
} {
  const { rawHeaders } = request
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase()
    const value = String(rawHeaders[index + 1])
    if (name === 'cookie') cookies.push(value)
    else headers[name] = Object.hasOwn(headers, name) ? `${headers[name]},${value}` : value
  }
  for (const [name, value] of forwarded(request, headers['x-forwarded-for']))
    headers[name.toLowerCase()] = value
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
  return hasKeys(value) ? value : null
}

function hasKeys(value: object): boolean {
  for (const _ in value) return true
  return false
}
