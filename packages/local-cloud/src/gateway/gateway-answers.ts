import { FunctionThrottledError } from '../functions/concurrency.ts'
import type { Answer, ApiKind } from './proxy-answer.ts'

/** What API Gateway answers by itself. */
export interface GatewayAnswers {
  readonly noRoute: Answer
  readonly tooLong: Answer
  /** The function failed, or its answer is malformed. */
  readonly failed: Answer
  readonly throttled: Answer
  readonly late: Answer
}

export const gatewayAnswers: Readonly<Record<ApiKind, GatewayAnswers>> = {
  http: {
    noRoute: message(404, 'Not Found'),
    tooLong: message(413, 'Request Entity Too Large'),
    failed: message(500, 'Internal Server Error'),
    throttled: message(503, 'Service Unavailable'),
    late: message(503, 'Service Unavailable'),
  },
  rest: {
    noRoute: message(403, 'Missing Authentication Token'),
    tooLong: message(413, 'Request Too Long'),
    failed: message(502, 'Internal server error'),
    throttled: message(500, 'Internal server error'),
    late: message(504, 'Endpoint request timed out'),
  },
}

/** The answer to a request whose function failed; why it did is a warning of the process. */
export function failed(what: string, error: unknown, answers: GatewayAnswers): Answer {
  process.emitWarning(`${what} failed: ${error instanceof Error ? error.stack || error.message : error}`, {
    type: 'StepwrightWarning',
    code: 'STEPWRIGHT_GATEWAY',
  })
  return error instanceof FunctionThrottledError ? answers.throttled : answers.failed
}

export function message(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ message: text }) }
}
