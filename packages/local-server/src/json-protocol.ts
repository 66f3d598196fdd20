import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { accessKeyOf } from './access-key-of.ts'
import { checkParameters, type SupportedParameters } from './check-parameters.ts'
import type { RequestHandler } from './loopback-server.ts'
import { readBody } from './read-body.ts'
import { ServiceError } from './service-error.ts'

/** The parameters of a call, as they were sent. */
export type ServiceInput = Readonly<Record<string, unknown>>

/** One operation of a service; what it returns is the answer. The signal aborts when nobody waits any more. */
export type ServiceOperation = (
  input: ServiceInput,
  signal: AbortSignal,
  headers: IncomingHttpHeaders,
) => object | Promise<object>

export type RefusalOf = (call: {
  readonly accessKeyId: string
  readonly operation: string
  readonly input: ServiceInput
}) => string | undefined

export interface JsonProtocolOptions {
  /** What `X-Amz-Target` begins with: `AmazonSQS`. */
  readonly target: string
  readonly version: '1.0' | '1.1'
  readonly operations: Readonly<Record<string, ServiceOperation>>
  /** The parameters that each operation reads. What else is sent is refused. @default every parameter is accepted */
  readonly parameters?: SupportedParameters
  /** @default 4 MiB */
  readonly maxRequestBytes?: number
  /** Why a caller may not do what it asks for, if it may not. @default everybody may do everything */
  readonly refusalOf?: RefusalOf | undefined
  /** What a refusal is called. @default 'AccessDeniedException', with 400 */
  readonly accessDenied?: { readonly code: string; readonly status: number }
  /** What an error is called besides, where clients still know the names of the query protocol. */
  readonly queryErrorOf?: (code: string) => string
}

/** AWS JSON 1.0 and 1.1: the operation in a header, everything else in the body. */
export function createJsonProtocol(options: JsonProtocolOptions): RequestHandler {
  const contentType = `application/x-amz-json-${options.version}`
  return async (request, response) => {
    const gone = new AbortController()
    response.on('close', () => {
      // The reason of an abort has a stack, which costs more than all else here.
      if (!response.writableEnded) gone.abort()
    })
    const headers: Record<string, string> = { 'content-type': contentType, 'x-amzn-requestid': randomUUID() }
    let status = 200
    let text: string
    try {
      text = JSON.stringify(await call(request, options, gone.signal))
    } catch (error) {
      const failure = toServiceError(error)
      status = failure.status
      text = JSON.stringify({ __type: failure.code, message: failure.message })
      const name = options.queryErrorOf?.(failure.code)
      const fault = status < 500 ? 'Sender' : 'Receiver'
      if (name !== undefined) headers['x-amzn-query-error'] = `${name};${fault}`
    }
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
  }
}

/** A defect of ours is a failure of the service, not a cut connection. */
export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('InternalFailure', String(error), 500)
}

async function call(
  request: IncomingMessage,
  options: JsonProtocolOptions,
  signal: AbortSignal,
): Promise<object> {
  const { target, operations, maxRequestBytes = 4 * 1024 * 1024, refusalOf } = options
  const body = await readBody(request, maxRequestBytes)
  if (body === undefined)
    throw new ServiceError('RequestEntityTooLargeException', 'Request is too large', 413)
  const [service, operation = ''] = String(request.headers['x-amz-target'] ?? '').split('.')
  const operate =
    service === target && Object.hasOwn(operations, operation) ? operations[operation] : undefined
  if (operate === undefined) {
    throw new ServiceError('UnknownOperationException', `There is no operation '${operation}' here`)
  }
  const input = parse(body.toString())
  if (options.parameters !== undefined) checkParameters(options.parameters, operation, input)
  const refusal = refusalOf?.({ accessKeyId: accessKeyOf(request), operation, input })
  if (refusal !== undefined) {
    const { code, status } = options.accessDenied ?? { code: 'AccessDeniedException', status: 400 }
    throw new ServiceError(code, refusal, status)
  }
  return operate(input, signal, request.headers)
}

function parse(text: string): ServiceInput {
  let input: unknown
  try {
    input = JSON.parse(text || '{}') ?? {}
  } catch {
    throw new ServiceError('SerializationException', 'The request is not JSON')
  }
  if (typeof input === 'object' && !Array.isArray(input)) return input as ServiceInput
  throw new ServiceError('SerializationException', 'The request must be a JSON object')
}
