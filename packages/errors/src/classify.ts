import type { TaskErrorClass } from './task-error.ts'
import {
  ConcurrentExecutionError,
  DataValidationError,
  IdempotencyConflictError,
  NetworkError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
} from './taxonomy.ts'

/** The fields of a foreign error: nothing about their types is known. */
export type ErrorFields = Readonly<Record<string, unknown>>

/** The class of a foreign error, by its codes and names; undefined for one that it does not know. */
export type Classifier = (error: ErrorFields) => TaskErrorClass | undefined

/** Classes with the codes or names they stand for, separated by spaces. */
export type CodeTable = readonly (readonly [TaskErrorClass, codes: string])[]

export function lookUp(code: unknown, table: CodeTable): TaskErrorClass | undefined {
  return table.find(([, codes]) => codes.split(' ').includes(`${code}`))?.[0]
}

// The tables are inside functions, so that a cold start does not pay for what only failures need.

/** The class of an error that says itself what happened: the answer of an HTTP server, whatever the client. */
export function classifyStatus({
  $metadata,
  response,
  status,
  statusCode,
}: ErrorFields): TaskErrorClass | undefined {
  const { status: answered, statusCode: received, httpStatusCode } = Object($metadata ?? response)
  return lookUp(status ?? statusCode ?? answered ?? received ?? httpStatusCode, [
    [ThrottlingException, '429'],
    [ServiceUnavailableException, '502 503 504'],
  ])
}

/** The class of an error that only has a name or a code: Node's, undici's and Powertools'. */
export function classifyByName({ name, code }: ErrorFields): TaskErrorClass | undefined {
  const table: CodeTable = [
    [
      NetworkError,
      'ECONNABORTED ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EAI_FAIL EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH EADDRNOTAVAIL ERR_HTTP2_STREAM_ERROR ERR_HTTP2_SESSION_ERROR ERR_HTTP2_GOAWAY_SESSION ERR_STREAM_PREMATURE_CLOSE ERR_SOCKET_CLOSED UND_ERR_SOCKET UND_ERR_CLOSED UND_ERR_DESTROYED UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT',
    ],
    [
      TemporaryError,
      'EMFILE ENFILE EAGAIN EBUSY AbortError TimeoutError IdempotencyPersistenceLayerError IdempotencyInconsistentStateError',
    ],
    [ConcurrentExecutionError, 'IdempotencyAlreadyInProgressError IdempotencyItemAlreadyExistsError'],
    [IdempotencyConflictError, 'IdempotencyValidationError'],
    [DataValidationError, 'IdempotencyKeyError'],
  ]
  return lookUp(code, table) ?? lookUp(name, table)
}
