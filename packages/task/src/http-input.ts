import { DataValidationError, ValidationError } from '@stepwright/errors'
import type { HttpRequest } from './http-request.ts'
import { findUnknownFields } from './unknown-fields.ts'

/** How a task's input is made of a request. */
export interface HttpInputOptions {
  /**
   * The task's input from a request; the task's schema checks it. Whatever must not come from the caller's body is
   * set here.
   * @default the query's, body's and path's fields in one object; the path's win
   */
  readonly input?: (request: HttpRequest) => unknown
  /** @default 'refuse' */
  readonly unknownFields?: 'refuse' | 'ignore'
}

/** Before anything is made of it: a text of some megabytes, spread into an object, is as many fields. */
export function refuseOtherThanObject(body: unknown): void {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new ValidationError('the body must be a JSON object')
  }
}

export function mergeFields({ queryLists, body, pathParameters }: HttpRequest): unknown {
  const query = Object.entries(queryLists).map(([name, values = []]) => [
    name,
    values.length > 1 ? values : values[0],
  ])
  return { ...Object.fromEntries(query), ...(typeof body === 'object' && body), ...pathParameters }
}

const maxReportedFields = 20

/** A field that nothing reads is a typo or an attack; either way its sender should know. */
export function refuseUnknownFields(given: unknown, parsed: unknown): void {
  const paths = findUnknownFields(given, parsed, maxReportedFields + 1)
  if (paths.length === 0) return
  const shown = paths.slice(0, maxReportedFields)
  const more = paths.length > shown.length ? ', ...' : ''
  throw new DataValidationError(`unknown fields: ${shown.join(', ')}${more}`, {
    details: { issues: shown.map(path => ({ path, message: 'is not a known field' })) },
  })
}
