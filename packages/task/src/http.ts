import { DataValidationError, type TaskError, ValidationError } from '@stepwright/errors'
import { type CorsOptions, createCors } from './http-cors.ts'
import { type HttpEvent, type HttpRequest, parseHttpEvent } from './http-request.ts'
import {
  type HttpResponse,
  type ResponseFacts,
  toProblemResponse,
  toSuccessResponse,
} from './http-response.ts'
import { createInvocation, type InvocationOptions, type LambdaContext } from './invocation.ts'
import { powertoolsFor } from './powertools.ts'
import type { AnyTask, OutputOf } from './task.ts'
import { findUnknownFields } from './unknown-fields.ts'

export type { CorsOptions } from './http-cors.ts'
export {
  type Claims,
  claimOf,
  type HttpEvent,
  type HttpRequest,
  parseHttpEvent,
  UnauthenticatedError,
} from './http-request.ts'
export type { HttpResponse, ResponseFacts } from './http-response.ts'

export interface HttpOptions<T extends AnyTask, Settings = undefined> extends InvocationOptions<T, Settings> {
  /**
   * The task's input from a request; the task's schema checks it. Whatever must not come from the caller's body is
   * set here.
   * @default the query's, body's and path's fields in one object; the path's win
   */
  readonly input?: (request: HttpRequest) => unknown
  /** What a body may be: no other JSON than an object, or any. @default 'object' */
  readonly body?: 'object' | 'any'
  /** @default 200 */
  readonly successStatus?: number
  /** What the response to a result has besides its body: headers such as `location`, cookies, another status. */
  readonly response?: (output: OutputOf<T>, request: HttpRequest) => ResponseFacts
  /** Whether a result is answered as `{ success: true, data }`, or as it is. @default true */
  readonly envelope?: boolean
  /** @default 'refuse' */
  readonly unknownFields?: 'refuse' | 'ignore'
  /** Lets pages of other origins call. @default none of them */
  readonly cors?: CorsOptions
}

/**
 * The task behind API Gateway, as a proxy handler. It never throws: a result becomes `{ success, data }`, a
 * failure a problem response with its class's status.
 */
export function toHttpHandler<T extends AnyTask, Settings = undefined>(
  task: T,
  options: HttpOptions<T, Settings> = {},
): (event: HttpEvent, context?: LambdaContext) => Promise<HttpResponse> {
  const { input = mergeFields, successStatus: status = 200, response, envelope = true, cors } = options
  const onInput = options.unknownFields === 'ignore' ? undefined : refuseUnknownFields
  const behindHttp: AnyTask = {
    ...task,
    async run(event: HttpEvent, ports, context) {
      const request = parseHttpEvent(event)
      if (options.body !== 'any') refuseOtherThanObject(request.body)
      const data = await task.run(input(request), ports, { ...context, onInput })
      const facts = { status, ...response?.(data, request) }
      return toSuccessResponse(event, envelope ? { success: true, data } : data, facts)
    },
  }
  const invoke = createInvocation(behindHttp, powertoolsFor(task.name, options), result => result, options)
  const answer = async (event: HttpEvent, context?: LambdaContext): Promise<HttpResponse> => {
    try {
      return (await invoke(event, context)) as HttpResponse
    } catch (error) {
      return toProblemResponse(error as TaskError, event.path ?? event.rawPath)
    }
  }
  if (cors === undefined) return answer
  const { preflight, headersFor } = createCors(cors)
  return async (event, context) => {
    const permission = preflight(event)
    if (permission) return { statusCode: 204, headers: permission, body: '' }
    const answered = await answer(event, context)
    return { ...answered, headers: { ...answered.headers, ...headersFor(event) } }
  }
}

/** Before anything is made of it: a text of some megabytes, spread into an object, is as many fields. */
function refuseOtherThanObject(body: unknown): void {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new ValidationError('the body must be a JSON object')
  }
}

function mergeFields({ queryLists, body, pathParameters }: HttpRequest): unknown {
  const query = Object.entries(queryLists).map(([name, values = []]) => [
    name,
    values.length > 1 ? values : values[0],
  ])
  return { ...Object.fromEntries(query), ...(typeof body === 'object' && body), ...pathParameters }
}

const maxReportedFields = 20

/** A field that nothing reads is a typo or an attack; either way its sender should know. */
function refuseUnknownFields(given: unknown, parsed: unknown): void {
  const paths = findUnknownFields(given, parsed, maxReportedFields + 1)
  if (paths.length === 0) return
  const shown = paths.slice(0, maxReportedFields)
  const more = paths.length > shown.length ? ', ...' : ''
  throw new DataValidationError(`unknown fields: ${shown.join(', ')}${more}`, {
    details: { issues: shown.map(path => ({ path, message: 'is not a known field' })) },
  })
}
