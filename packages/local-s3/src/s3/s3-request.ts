import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { S3Error } from './s3-error.ts'

export type Query = Readonly<Record<string, string | string[]>>

/** A request, taken apart but not yet authorized. */
export interface S3Request {
  readonly id: string
  readonly method: string
  /** As it was sent: that is what clients sign. */
  readonly rawPath: string
  /** Empty for requests to the service. */
  readonly bucket: string
  /** Empty for requests to a bucket. */
  readonly key: string
  readonly query: Query
  readonly headers: IncomingHttpHeaders
  readonly incoming: IncomingMessage
}

const maxKeyBytes = 1024

export function toS3Request(incoming: IncomingMessage, id: string): S3Request {
  const url = incoming.url ?? '/'
  const mark = url.indexOf('?')
  const rawPath = mark === -1 ? url : url.slice(0, mark)
  const [, rawBucket = '', rawKey = ''] = /^\/([^/]*)\/?(.*)$/s.exec(rawPath) ?? []
  const key = decode(rawKey)
  assertKeyLength(key)
  return {
    id,
    method: incoming.method ?? 'GET',
    rawPath,
    bucket: decode(rawBucket),
    key,
    query: parseQuery(mark === -1 ? '' : url.slice(mark + 1)),
    headers: incoming.headers,
    incoming,
  }
}

export function assertKeyLength(key: string): void {
  if (Buffer.byteLength(key) <= maxKeyBytes) return
  throw new S3Error('KeyTooLongError', undefined, {
    Size: String(Buffer.byteLength(key)),
    MaxSizeAllowed: String(maxKeyBytes),
  })
}

/** A presigned URL carries what would be `x-amz-` headers in its query: puts them where they belong. */
export function withHoistedHeaders(request: S3Request): S3Request {
  const hoisted: Record<string, string> = {}
  for (const name of Object.keys(request.query)) {
    if (/^x-amz-/i.test(name))
      hoisted[name.toLowerCase()] = toHeaderValue(name, queryValue(request, name) ?? '')
  }
  return { ...request, headers: { ...hoisted, ...request.headers } }
}

/** A text as a header has it: its bytes in UTF-8, each a character. What no header can have is refused. */
export function toHeaderValue(name: string, text: string): string {
  if (!/[\p{Cc}--\t]/v.test(text)) return Buffer.from(text).toString('latin1')
  throw new S3Error('InvalidArgument', `The value of ${name} must not hold control characters`, {
    ArgumentName: name,
  })
}

/** The only or last value of a query parameter. */
export function queryValue(request: S3Request, name: string): string | undefined {
  const value = request.query[name]
  return Array.isArray(value) ? value.at(-1) : value
}

/** The value of a request header. */
export function headerValue(request: S3Request, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

/** A whole number in a query parameter, or `fallback` if it is not there. */
export function queryNumber(
  request: S3Request,
  name: string,
  range: { readonly min: number; readonly max: number; readonly fallback: number },
): number {
  const text = queryValue(request, name)
  if (text === undefined || text === '') return range.fallback
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= range.min && value <= range.max)) {
    throw new S3Error('InvalidArgument', `${name} must be a whole number from ${range.min} to ${range.max}`, {
      ArgumentName: name,
      ArgumentValue: text,
    })
  }
  return value
}

function parseQuery(text: string): Query {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const pair of text.split('&').filter(Boolean)) {
    const [name = '', ...rest] = pair.replaceAll('+', '%20').split('=')
    const key = decode(name)
    const value = decode(rest.join('='))
    const before = query[key]
    query[key] = before === undefined ? value : [before, value].flat()
  }
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new S3Error('InvalidURI')
  }
}
