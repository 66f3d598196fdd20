import { type TaskError, toHttpProblem } from '@stepwright/errors'

export interface HttpResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function toSuccessResponse(statusCode: number, body: unknown): HttpResponse {
  return respond(statusCode, 'application/json', body)
}

/** RFC 9457 problem details, marked as no success for callers that look for that first. */
export function toProblemResponse(error: TaskError, instance: string | undefined): HttpResponse {
  const problem = { success: false, ...toHttpProblem(error, { instance }) }
  const { retryAfterSeconds } = error
  return respond(error.httpStatus, 'application/problem+json', problem, {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(retryAfterSeconds)) }),
  })
}

function respond(
  statusCode: number,
  type: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': type, 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  }
}
