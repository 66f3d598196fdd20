import { validateHeaderName, validateHeaderValue } from 'node:http'

/** What goes back to the caller. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | Buffer
}

/** A handler's answer that no HTTP response can be made of. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError'
}

export type ApiKind = 'rest' | 'http'

// The gateway itself says how long a body is and what becomes of the connection.
const ownHeaders = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** A handler's result: a proxy response or, for an HTTP API, any JSON value for a 200. */
export function toAnswer(result: unknown, api: ApiKind): Answer {
  const passed = isPlain(result) ? result : (JSON.parse(JSON.stringify(result ?? null)) as unknown)
  const response = isRecord(passed) ? passed : {}
  if (response['statusCode'] === undefined) {
    if (api === 'rest') throw new MalformedAnswerError('the handler answered without a statusCode')
    const body = typeof passed === 'string' ? passed : JSON.stringify(passed)
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  }
  return {
    status: statusOf(response['statusCode']),
    headers: headersOf(response, api),
    body: bodyOf(response),
  }
}

/** A usual response, in which there is nothing that JSON would change and that is read below. */
function isPlain(result: unknown): boolean {
  if (!isRecord(result) || 'toJSON' in result) return false
  const { statusCode, body, headers, multiValueHeaders, cookies } = result
  return (
    typeof statusCode === 'number' &&
    (body === undefined || typeof body === 'string') &&
    multiValueHeaders === undefined &&
    cookies === undefined &&
    (headers === undefined || (isRecord(headers) && Object.values(headers).every(isText)))
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function statusOf(statusCode: unknown): number {
  if (/^[2-5]\d\d$/.test(String(statusCode))) return Number(statusCode)
  throw new MalformedAnswerError(
    `the handler's statusCode must be a whole number from 200 to 599, but is ${JSON.stringify(statusCode)}`,
  )
}

function bodyOf({ body, isBase64Encoded }: Readonly<Record<string, unknown>>): string | Buffer {
  if (body === undefined || body === null) return ''
  if (typeof body !== 'string')
    throw new MalformedAnswerError("the handler's body must be text, as JSON.stringify makes")
  return isBase64Encoded === true ? Buffer.from(body, 'base64') : body
}

function headersOf(response: Readonly<Record<string, unknown>>, api: ApiKind): Answer['headers'] {
  const headers: Record<string, string | readonly string[]> = {}
  const many = api === 'rest' ? (response['multiValueHeaders'] ?? {}) : {}
  for (const given of [response['headers'] ?? {}, many]) {
    if (!isRecord(given)) throw new MalformedAnswerError("the handler's headers must be an object")
    for (const name of Object.keys(given)) {
      const lower = name.toLowerCase()
      if (!ownHeaders.has(lower)) headers[lower] = headerOf(name, given[name])
    }
  }
  const cookies = api === 'http' ? (response['cookies'] ?? []) : []
  if (!Array.isArray(cookies)) throw new MalformedAnswerError("the handler's cookies must be an array")
  if (cookies.length > 0)
    headers['set-cookie'] = [headers['set-cookie'] ?? [], headerOf('set-cookie', cookies)].flat()
  return headers
}

function headerOf(name: string, value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map(one => String(headerOf(name, one)))
  try {
    if (typeof value === 'object') throw new TypeError('it is an object')
    validateHeaderName(name)
    validateHeaderValue(name, String(value))
  } catch {
    throw new MalformedAnswerError(`the handler's header ${JSON.stringify(name)} cannot be sent`)
  }
  return String(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
