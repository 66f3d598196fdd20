import type { TaskErrorClass } from './task-error.ts'
import {
  ConflictError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
  UnexpectedError,
} from './taxonomy.ts'

/** What a service exception of the AWS SDK for JavaScript v3 carries. */
interface ServiceException {
  readonly name?: unknown
  readonly $fault?: unknown
  readonly $metadata?: { readonly httpStatusCode?: unknown }
  readonly $retryable?: { readonly throttling?: unknown }
}

const throttling = /Throttl|TooMany|SlowDown|(?<!Size)LimitExceeded|ThroughputExceeded|PriorRequest/

export function classifyAwsSdk(error: ServiceException): TaskErrorClass | undefined {
  if (error.$metadata === undefined && error.$fault === undefined) return undefined
  const name = String(error.name)
  const status = Number(error.$metadata?.httpStatusCode)
  if (error.$retryable?.throttling === true || status === 429 || throttling.test(name))
    return ThrottlingException
  if (/^(Request)?Timeout/.test(name)) return NetworkError
  if (error.$fault === 'server' || status >= 500) return ServiceUnavailableException
  if (error.$retryable !== undefined || /^Transaction(InProgress|Conflict)/.test(name)) return TemporaryError
  if (status === 404 || /NotFound|^NoSuch/.test(name)) return NotFoundError
  if (status === 409 || status === 412 || name === 'ConditionalCheckFailedException') return ConflictError
  // A socket error that passed through the SDK has $metadata too, but no answer of a service.
  return error.$fault === undefined && Number.isNaN(status) ? undefined : UnexpectedError
}
