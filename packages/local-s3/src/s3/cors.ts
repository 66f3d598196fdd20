import type { IncomingMessage } from 'node:http'
import type { CorsOrigins, S3Response } from './operation.ts'
import { S3Error } from './s3-error.ts'

const allowedMethods = ['GET', 'HEAD', 'PUT', 'POST']

/** The headers that let a page read an answer, if its origin may. */
export function corsHeaders(incoming: IncomingMessage, corsOrigins: CorsOrigins): Record<string, string> {
  const { origin } = incoming.headers
  const rule = ruleFor(incoming, corsOrigins)
  if (origin === undefined || rule === undefined) return {}
  return {
    'access-control-allow-origin': rule === '*' ? '*' : origin,
    'access-control-allow-methods': allowedMethods.join(', '),
    'access-control-expose-headers': 'ETag',
    ...(rule !== '*' && { 'access-control-allow-credentials': 'true' }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  }
}

/** Answers a browser's question whether a page may send a request; `corsHeaders` says which. */
export function preflight(incoming: IncomingMessage, corsOrigins: CorsOrigins): S3Response {
  const { origin, 'access-control-request-method': method = 'null' } = incoming.headers
  if (origin === undefined) {
    throw new S3Error('BadRequest', 'Insufficient information. Origin request header needed.')
  }
  if (!/^(GET|HEAD|PUT|POST|DELETE)$/.test(method)) {
    throw new S3Error('BadRequest', `Invalid Access-Control-Request-Method: ${method}`)
  }
  if (originsOf(incoming, corsOrigins).length === 0) {
    throw new S3Error('AccessForbidden', 'CORSResponse: CORS is not enabled for this bucket.')
  }
  if (ruleFor(incoming, corsOrigins) === undefined || !allowedMethods.includes(method)) {
    throw new S3Error('AccessForbidden')
  }
  const headers = incoming.headers['access-control-request-headers']
  return {
    status: 200,
    headers: {
      ...(headers !== undefined && { 'access-control-allow-headers': headers.toLowerCase() }),
      'access-control-max-age': '3000',
      'content-length': '0',
    },
  }
}

function ruleFor(incoming: IncomingMessage, corsOrigins: CorsOrigins): string | undefined {
  return originsOf(incoming, corsOrigins).find(rule => {
    const [start = '', ...ends] = rule.split('*')
    const { origin = '' } = incoming.headers
    if (ends.length === 0) return origin === rule
    const end = ends.join('*')
    return origin.length >= start.length + end.length && origin.startsWith(start) && origin.endsWith(end)
  })
}

function originsOf({ url = '' }: IncomingMessage, corsOrigins: CorsOrigins): readonly string[] {
  const bucket = /^\/([^/?]*)/.exec(url)?.[1] ?? ''
  // `constructor` is a bucket's name like any other.
  return (Object.hasOwn(corsOrigins, bucket) && corsOrigins[bucket]) || []
}
