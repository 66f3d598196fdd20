import type { StandardSchemaV1 } from '@standard-schema/spec'
import { DataValidationError, type TaskError, ValidationError } from '@stepwright/errors'
import { type HttpEvent, type HttpRequest, parseHttpEvent } from './http-request.ts'
import { type HttpResponse, toProblemResponse, toSuccessResponse } from './http-response.ts'
import { createInvocation, type InvocationOptions, type LambdaContext } from './invocation.ts'
import { powertoolsFor } from './powertools.ts'
import type { AnyTask, InputOf } from './task.ts'
import { findUnknownFields } from './unknown-fields.ts'

export {
  type Claims,
  claimOf,
  type HttpEvent,
  type HttpRequest,
  parseHttpEvent,
  UnauthenticatedError,
} from './http-request.ts'
export type { HttpResponse } from './http-response.ts'

export interface HttpOptions<T extends AnyTask, Settings = undefined> extends InvocationOptions<T, Settings> {
  /**
   * The task's input from a request. Whatever must not come from the caller's body is set here.
   * @default the query's, body's and path's fields in one object; the path's win
   */
  readonly input?: (request: HttpRequest) => InputOf<T>
  /** @default 200 */
  readonly successStatus?: number
  /** Whether a result is answered as `{ success: true, data }`, or as it is. @default true */
  readonly envelope?: boolean
  /** @default 'refuse' */
  readonly unknownFields?: 'refuse' | 'ignore'
}

/**
 * The task behind API Gateway, as a proxy handler. It never throws: a result becomes `{ success, data }`, a
 * failure a problem response with its class's status.
 */
export function toHttpHandler<T extends AnyTask, Settings = undefined>(
  task: T,
  options: HttpOptions<T, Settings> = {},
): (event: HttpEvent, context?: LambdaContext) => Promise<HttpResponse> {
  const { input = mergeFields, successStatus = 200, envelope = true, unknownFields = 'refuse' } = options
  const behindHttp: AnyTask = {
    ...task,
    async run(event: HttpEvent, ...needs) {
      const given = input(parseHttpEvent(event))
      if (unknownFields === 'refuse') await refuseUnknownFields(task.input, given)
      return task.run(given, ...needs)
    },
  }
  const invoke = createInvocation(
    behindHttp,
    powertoolsFor(task.name, options),
    data => toSuccessResponse(successStatus, envelope ? { success: true, data } : data),
    options,
  )
  return async (event, context) => {
    try {
      return (await invoke(event, context)) as HttpResponse
    } catch (error) {
      return toProblemResponse(error as TaskError, event.path ?? event.rawPath)
    }
  }
}

function mergeFields<Input>({ query, body, pathParameters }: HttpRequest): Input {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new ValidationError('the body must be a JSON object')
  }
  return { ...query, ...body, ...pathParameters } as Input
}

/** A field that nothing reads is a typo or an attack; either way its sender should know. */
async function refuseUnknownFields(schema: StandardSchemaV1, given: unknown): Promise<void> {
  const result = await schema['~standard'].validate(given)
  if (result.issues) return // the task itself says what is wrong
  const issues = findUnknownFields(given, result.value).map(path => ({
    path,
    message: 'is not a known field',
  }))
  if (issues.length === 0) return
  throw new DataValidationError(`unknown fields: ${issues.map(issue => issue.path).join(', ')}`, {
    details: { issues },
  })
}
