import { type HttpEvent, lowerCaseNames, methodOf } from './http-request.ts'

/** Which pages in a browser may call, and how. */
export interface CorsOptions {
  /** As browsers send them: `https://app.example.com`; `'*'` for any page. */
  readonly origins: readonly string[] | '*'
  /** @default GET, POST, PUT, PATCH, DELETE */
  readonly methods?: readonly string[]
  /** The request headers that a page may set. @default authorization, content-type */
  readonly headers?: readonly string[]
  /** The response headers that a page may read. @default location, retry-after */
  readonly exposedHeaders?: readonly string[]
  /** Whether the browser sends cookies; not together with any origin. @default false */
  readonly credentials?: boolean
  /** How long a browser may keep the answer to its question. @default 600 */
  readonly maxAgeSeconds?: number
}

export interface Cors {
  /** The headers of any response to this request. */
  headersFor(event: HttpEvent): Readonly<Record<string, string>>
  /** The headers that answer a browser which asks before it calls; undefined if this is no such question. */
  preflight(event: HttpEvent): Readonly<Record<string, string>> | undefined
}

export function createCors({
  origins,
  methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  headers = ['authorization', 'content-type'],
  exposedHeaders = ['location', 'retry-after'],
  credentials = false,
  maxAgeSeconds = 600,
}: CorsOptions): Cors {
  if (credentials && origins === '*') {
    throw new TypeError('cors.origins must be a list where cors.credentials is true')
  }
  const allowed = (event: HttpEvent): Readonly<Record<string, string>> => {
    if (origins === '*') return { 'access-control-allow-origin': '*' }
    const { origin } = lowerCaseNames(event.headers ?? {})
    if (origin === undefined || !origins.includes(origin)) return { vary: 'origin' }
    return {
      vary: 'origin',
      'access-control-allow-origin': origin,
      ...(credentials && { 'access-control-allow-credentials': 'true' }),
    }
  }
  return {
    headersFor: event => ({
      ...allowed(event),
      ...(exposedHeaders.length > 0 && { 'access-control-expose-headers': exposedHeaders.join(', ') }),
    }),
    preflight(event) {
      const asks = lowerCaseNames(event.headers ?? {})['access-control-request-method'] !== undefined
      if (methodOf(event) !== 'OPTIONS' || !asks) return undefined
      return {
        ...allowed(event),
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': headers.join(', '),
        'access-control-max-age': String(maxAgeSeconds),
      }
    },
  }
}
