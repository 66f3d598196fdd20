import type { TaskError } from '@stepwright/errors'
import { type CorsOptions, createCors } from './http-cors.ts'
import {
  type HttpInputOptions,
  mergeFields,
  refuseOtherThanObject,
  refuseUnknownFields,
} from './http-input.ts'
import { type HttpEvent, type HttpRequest, parseHttpEvent } from './http-request.ts'
import {
  type HttpResponse,
  type ResponseFacts,
  toProblemResponse,
  toSuccessResponse,
} from './http-response.ts'
import { createInvocation, type InvocationOptions, type LambdaContext } from './invocation.ts'
import { powertoolsFor } from './powertools.ts'
import { toResultJson } from './result-json.ts'
import type { AnyTask, OutputOf } from './task.ts'

export {
  type EventStreamHandler,
  type EventStreamOptions,
  type EventStreamTask,
  type ResponseStream,
  type ServerSentEvent,
  toEventStreamHandler,
} from './event-stream.ts'
export type { CorsOptions } from './http-cors.ts'
export { type HttpInputOptions, mergeFields } from './http-input.ts'
export {
  type Claims,
  claimOf,
  type HttpEvent,
  type HttpRequest,
  UnauthenticatedError,
} from './http-request.ts'
export type { HttpResponse, ResponseFacts } from './http-response.ts'

export interface HttpOptions<T extends AnyTask> extends InvocationOptions<T>, HttpInputOptions {
  /** What a body may be: no other JSON than an object, or any; or it is not looked at, whatever it is. @default 'object' */
  readonly body?: 'object' | 'any' | 'ignored'
  /** @default 200 */
  readonly successStatus?: number
  /** What the response to a result has besides: headers such as `location`, cookies, another status or body. */
  readonly response?: (output: OutputOf<T>, request: HttpRequest) => ResponseFacts
  /** Whether a result is answered as `{ success: true, data }`, or as it is. @default true */
  readonly envelope?: boolean
  /** Lets pages of other origins call. @default none of them */
  readonly cors?: CorsOptions
}

/**
 * The task behind API Gateway, as a proxy handler. It never throws: a result becomes `{ success, data }`, a
 * failure a problem response with its class's status.
 */
export function toHttpHandler<T extends AnyTask>(
  task: T,
  options: HttpOptions<T> = {},
): (event: HttpEvent, context?: LambdaContext) => Promise<HttpResponse> {
  const { input = mergeFields, successStatus: status = 200, response, envelope = true, cors } = options
  const onInput = options.unknownFields === 'ignore' ? undefined : refuseUnknownFields
  const behindHttp: AnyTask = {
    ...task,
    async run(event: HttpEvent, ports, context) {
      const request = parseHttpEvent(options.body === 'ignored' ? { ...event, body: null } : event)
      if (options.body !== 'any') refuseOtherThanObject(request.body)
      const data = await task.run(input(request), ports, { ...context, onInput })
      const facts = { status, ...response?.(data, request) }
      if (facts.body === undefined) toResultJson(task.name, data)
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
