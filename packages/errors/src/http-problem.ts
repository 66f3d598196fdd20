import type { ErrorDetails, TaskError } from './task-error.ts'

/** RFC 9457 problem details, to be sent as `application/problem+json`. */
export interface HttpProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  readonly code?: string
  readonly details?: ErrorDetails
  readonly instance?: string
}

/** What a caller may know of a failure: all of a business error, of any other that and when to retry. */
export function toHttpProblem(
  error: TaskError,
  { instance }: { readonly instance?: string | undefined } = {},
): HttpProblem {
  const { name, httpStatus, message, code, details } = error
  return {
    type: `urn:stepwright:error:${encodeURIComponent(name)}`,
    title: name,
    status: httpStatus,
    ...(error.kind === 'business' && { detail: message, ...(details && { details }) }),
    ...(code !== undefined && { code }),
    ...(instance !== undefined && { instance }),
  }
}
