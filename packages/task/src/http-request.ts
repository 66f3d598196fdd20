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

/** A proxy event of API Gateway: a REST API's, or an HTTP API's in format 2.0. */
export interface HttpEvent {
  readonly httpMethod?: string
  readonly path?: string
  readonly rawPath?: string
  readonly headers?: Strings | null
  readonly queryStringParameters?: Strings | null
  readonly pathParameters?: Strings | null
  readonly body?: string | null
  readonly isBase64Encoded?: boolean
  readonly requestContext?: {
    readonly http?: { readonly method?: string }
    readonly authorizer?: {
      readonly claims?: Claims
      readonly jwt?: { readonly claims?: Claims }
    } | null
  }
}

export type Claims = Readonly<Record<string, unknown>>

/** Both kinds of event in one shape. */
export interface HttpRequest {
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Strings
  readonly query: Strings
  readonly pathParameters: Strings
  /** The parsed JSON body; undefined if there is none. */
  readonly body: unknown
  /** What the authorizer knows of the caller; empty if there is no authorizer. */
  readonly claims: Claims
}

/** @throws ValidationError if the body is no JSON */
export function parseHttpEvent(event: HttpEvent): HttpRequest {
  const { headers, queryStringParameters, pathParameters, requestContext } = event
  return {
    method: event.httpMethod ?? requestContext?.http?.method ?? 'GET',
    path: event.path ?? event.rawPath ?? '/',
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    query: queryStringParameters ?? {},
    pathParameters: pathParameters ?? {},
    body: parseBody(event),
    claims: requestContext?.authorizer?.jwt?.claims ?? requestContext?.authorizer?.claims ?? {},
  }
}

function parseBody({ body, isBase64Encoded }: HttpEvent): unknown {
  if (body === undefined || body === null || body === '') return undefined
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ValidationError(`the body is no JSON: ${(error as Error).message}`, { cause: error })
  }
}

/** A claim that must be there: `claimOf(request, 'sub')` is who is calling. @throws UnauthenticatedError */
export function claimOf({ claims }: HttpRequest, name: string): string {
  const value = claims[name]
  if (typeof value === 'string' && value !== '') return value
  throw new UnauthenticatedError(`the caller has no claim "${name}"`)
}
