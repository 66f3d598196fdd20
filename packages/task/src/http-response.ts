import { type TaskError, toHttpProblem } from '@stepwright/errors'
import type { HttpEvent } from './http-request.ts'

export interface HttpResponse {
  readonly statusCode: number
  readonly headers: Headers
  readonly body: string
  /** Of an HTTP API, in format 2.0. */
  readonly cookies?: readonly string[]
  /** Of a REST API: its `set-cookie`. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>
}

type Headers = Readonly<Record<string, string>>

/** What a response has besides the result. */
export interface ResponseFacts {
  readonly status?: number
  /** Instead of the result's JSON, such as a page; its `content-type` is to be said among the headers. */
  readonly body?: string
  /** Names in lower case; they win over those that every response has. */
  readonly headers?: Headers
  /** As in `set-cookie`: `session=1; HttpOnly; Secure`. */
  readonly cookies?: readonly string[]
}

export function toSuccessResponse(
  event: HttpEvent,
  result: unknown,
  { status = 200, headers, cookies, body }: ResponseFacts,
): HttpResponse {
  return {
    ...respond(status, 'application/json', result, headers),
    ...(body !== undefined && { body }),
    ...(cookies && cookies.length > 0 && setCookies(event, cookies)),
  }
}

function setCookies({ requestContext }: HttpEvent, cookies: readonly string[]): Partial<HttpResponse> {
  return requestContext?.http ? { cookies } : { multiValueHeaders: { 'set-cookie': cookies } }
}

/** RFC 9457 problem details, marked as no success for callers that look for that first. */
export function toProblemResponse(error: TaskError, instance: string | undefined): HttpResponse {
  const problem = { success: false, ...toHttpProblem(error, { instance }) }
  const { retryAfterSeconds } = error
  return respond(error.httpStatus, 'application/problem+json', problem, {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(retryAfterSeconds)) }),
  })
}

function respond(statusCode: number, type: string, body: unknown, headers: Headers = {}): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': type, 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body) ?? '',
  }
}
