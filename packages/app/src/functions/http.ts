import type { Task } from '@stepwright/task'
import {
  claimOf,
  type EventStreamHandler,
  type EventStreamOptions,
  type HttpEvent,
  type HttpInputOptions,
  type HttpOptions,
  type HttpRequest,
  type HttpResponse,
  mergeFields,
  type ServerSentEvent,
  toEventStreamHandler,
  toHttpHandler,
} from '@stepwright/task/http'
import type { LambdaContext } from '@stepwright/task/lambda'
import type { Bindings } from '../bindings/binding.ts'
import type { WithoutPorts } from './lambda.ts'
import { createFunction, type FunctionOptions, type LambdaFunction } from './lambda-function.ts'

export interface CallerOptions {
  /**
   * The field of the task's input that gets who calls: the claim `sub` of the token, whatever the request says. A
   * function that asks for it cannot stand behind an open route. @default none
   */
  readonly caller?: string
}

export type HttpHandler = (event: HttpEvent, context?: LambdaContext) => Promise<HttpResponse>

/** A task behind a route. */
export function http<Input, Output, Ports>(
  task: Task<Input, Output, Ports>,
  bindings: Bindings<NoInfer<Ports>>,
  options: FunctionOptions & CallerOptions & WithoutPorts<HttpOptions<Task<Input, Output, Ports>>> = {},
): HttpHandler & LambdaFunction<'http', Ports, HttpHandler> {
  return createFunction({
    kind: 'http',
    task,
    bindings,
    options,
    needsCaller: options.caller !== undefined,
    build: opening => toHttpHandler(task, { ...withCaller(options), ...opening }),
  })
}

/** A task behind a route that streams server-sent events. One such route makes the app's API a REST API. */
export function eventStream<Input, Ports>(
  task: Task<Input, AsyncIterable<ServerSentEvent> | undefined, Ports>,
  bindings: Bindings<NoInfer<Ports>>,
  options: FunctionOptions &
    CallerOptions &
    WithoutPorts<EventStreamOptions<Task<Input, AsyncIterable<ServerSentEvent> | undefined, Ports>>> = {},
): EventStreamHandler & LambdaFunction<'stream', Ports, EventStreamHandler> {
  return createFunction({
    kind: 'stream',
    task,
    bindings,
    options,
    needsCaller: options.caller !== undefined,
    build: opening => toEventStreamHandler(task, { ...withCaller(options), ...opening }),
    mark: markAsStreaming,
  })
}

function withCaller<Options extends CallerOptions & HttpInputOptions>(options: Options): Options {
  const { caller, input = mergeFields } = options
  if (caller === undefined) return options
  return {
    ...options,
    input: (request: HttpRequest) => ({ ...(input(request) as object), [caller]: claimOf(request, 'sub') }),
  }
}

/** Lambda's runtime has to know that an exported handler streams. Where there is no such runtime, it is only data. */
function markAsStreaming(handler: EventStreamHandler): EventStreamHandler {
  const { awslambda } = globalThis as { awslambda?: { streamifyResponse?: <H>(handler: H) => H } }
  return awslambda?.streamifyResponse?.(handler) ?? handler
}
