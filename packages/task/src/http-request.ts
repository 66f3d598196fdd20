import {
  type BusinessErrorClass,
  defineBusinessError,
  type TaskError,
  ValidationError,
} from '@stepwright/errors'

/** The caller is not known: no claims reached the function. */
export const UnauthenticatedError: BusinessErrorClass<'UnauthenticatedError'> =
  /* @__PURE__ */ defineBusinessError('UnauthenticatedError', { httpStatus: 401 })
export type UnauthenticatedError = TaskError<'UnauthenticatedError', 'business'>

type Strings = Readonly<Record<string, string | undefined>>
type Lists = Readonly<Record<string, readonly string[] | undefined>>

/** A proxy event of API Gateway: a REST API's, or an HTTP API's in format 2.0. */
export interface HttpEvent {
  readonly httpMethod?: string
  readonly path?: string
  readonly rawPath?: string
  readonly headers?: Strings | null
  readonly queryStringParameters?: Strings | null
  readonly multiValueQueryStringParameters?: Lists | null
  readonly rawQueryString?: string
  readonly pathParameters?: Strings | null
  readonly cookies?: readonly string[]
  readonly body?: string | null
  readonly isBase64Encoded?: boolean
  readonly requestContext?: {
    readonly http?: { readonly method?: string }
    readonly authorizer?: Authorizer | null
  }
}

/** Of a REST API with a user pool, of an HTTP API with JWTs or a function, or whatever a REST API's function said. */
type Authorizer = Claims & {
  readonly claims?: Claims
  readonly jwt?: { readonly claims?: Claims }
  readonly lambda?: Claims | null
}

export type Claims = Readonly<Record<string, unknown>>

/** Both kinds of event in one shape. */
export interface HttpRequest {
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Strings
  /** The last value of each parameter. */
  readonly query: Strings
  /** All values of each parameter, in their order. */
  readonly queryLists: Lists
  readonly pathParameters: Strings
  readonly cookies: Strings
  /** The parsed JSON body; undefined if there is none. */
  readonly body: unknown
  /** What the authorizer knows of the caller; empty if there is no authorizer. */
  readonly claims: Claims
}

/** @throws ValidationError if the body is not JSON */
export function parseHttpEvent(event: HttpEvent): HttpRequest {
  const { requestContext } = event
  const headers = lowerCaseNames(event.headers ?? {})
  const queryLists = queryListsOf(event)
  return {
    method: methodOf(event),
    path: event.path ?? event.rawPath ?? '/',
    headers,
    query: Object.fromEntries(Object.entries(queryLists).map(([name, values]) => [name, values?.at(-1)])),
    queryLists,
    pathParameters: event.pathParameters ?? {},
    cookies: parseCookies(event.cookies ?? headers['cookie']?.split(';') ?? []),
    body: parseBody(event),
    claims: claimsOf(requestContext?.authorizer),
  }
}

export function methodOf({ httpMethod, requestContext }: HttpEvent): string {
  return httpMethod ?? requestContext?.http?.method ?? 'GET'
}

export function lowerCaseNames(headers: Strings): Strings {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function queryListsOf(event: HttpEvent): Lists {
  const { multiValueQueryStringParameters, rawQueryString, queryStringParameters } = event
  if (multiValueQueryStringParameters) return multiValueQueryStringParameters
  // Format 2.0 joins the values of one name with commas, which may as well be part of a value.
  if (rawQueryString !== undefined) {
    const byName = Map.groupBy(new URLSearchParams(rawQueryString), ([name]) => name)
    return Object.fromEntries(Array.from(byName, ([name, pairs]) => [name, pairs.map(([, value]) => value)]))
  }
  return Object.fromEntries(
    Object.entries(queryStringParameters ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value]]],
    ),
  )
}

function parseCookies(pairs: readonly string[]): Strings {
  const cookies: [name: string, value: string][] = pairs.flatMap(pair => {
    const sign = pair.indexOf('=')
    const name = pair.slice(0, Math.max(sign, 0)).trim()
    if (name === '' || /\s/.test(name)) return []
    const value = pair.slice(sign + 1).trim()
    return [[name, decode(value.replace(/^"/, '').replace(/"$/, ''))]]
  })
  // The first of a name is the one with the longest path.
  return Object.fromEntries(cookies.reverse())
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function claimsOf(authorizer: Authorizer | null | undefined): Claims {
  return authorizer?.jwt?.claims ?? authorizer?.lambda ?? authorizer?.claims ?? authorizer ?? {}
}

function parseBody({ body, isBase64Encoded }: HttpEvent): unknown {
  if (body === undefined || body === null || body === '') return undefined
  try {
    return JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body)
  } catch {
    // Not the parser's own words: they quote the body.
    throw new ValidationError('the body must be JSON')
  }
}

/** A claim that must be there: `claimOf(request, 'sub')` is who is calling. @throws UnauthenticatedError */
export function claimOf({ claims }: HttpRequest, name: string): string {
  const value = claims[name]
  if (typeof value === 'string' && value !== '') return value
  throw new UnauthenticatedError(`the caller has no claim "${name}"`)
}
