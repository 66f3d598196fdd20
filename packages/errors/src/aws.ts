import { type CodeTable, type ErrorFields, lookUp } from './classify.ts'
import type { TaskErrorClass } from './task-error.ts'
import {
  ConflictError,
  IdempotencyConflictError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
  UnexpectedError,
} from './taxonomy.ts'

/**
 * The class of an exception of AWS SDK v3: by its name, then by what its service says of every error (`$retryable`,
 * the HTTP status, `$fault`). Quotas and mistakes of the caller are an `UnexpectedError`.
 */
export function classifyAws(error: ErrorFields): TaskErrorClass | undefined {
  const { name, $fault, $metadata, $retryable } = error
  if (!($fault ?? $metadata)) return undefined
  if (name === 'TransactionCanceledException') return classifyCancellation(error['CancellationReasons'])
  if ($retryable)
    return (Object($retryable) as ErrorFields)['throttling'] ? ThrottlingException : TemporaryError
  const status = Number((Object($metadata) as ErrorFields)['httpStatusCode'])
  // Without either, the SDK gave up before there was an answer: the error's code or cause says why.
  return (
    lookUp(name, byName()) ?? byStatus(status, $fault) ?? ($fault || status ? byForm(`${name}`) : undefined)
  )
}

function byName(): CodeTable {
  return [
    [
      ThrottlingException,
      // The SDK's own list, without TransactionInProgressException.
      'BandwidthLimitExceeded EC2ThrottledException LimitExceededException PriorRequestNotComplete ' +
        'ProvisionedThroughputExceededException RequestLimitExceeded RequestThrottled RequestThrottledException ' +
        'SlowDown ThrottledException Throttling ThrottlingException TooManyRequestsException ' +
        // Limits of what runs at the same time, and of the keys that a service uses for its caller.
        'ActivityWorkerLimitExceeded ExecutionLimitExceeded KmsThrottled KmsThrottlingException KMSThrottlingException TooManyUpdates OpsMetadataTooManyUpdatesException',
    ],
    [NetworkError, 'TimeoutError RequestTimeout RequestTimeoutException'],
    [
      TemporaryError,
      'TransactionInProgressException TransactionConflictException ConcurrentAccessException ' +
        'ConcurrentModificationException CodeArtifactUserPendingException ' +
        'ConditionalRequestConflict OverLimit PurgeQueueInProgress QueueDeletedRecently SnapStartNotReadyException',
    ],
    [NotFoundError, 'TaskTimedOut'],
    [
      ConflictError,
      'ConditionalCheckFailedException ConflictException DuplicateItemException PreconditionFailed ' +
        'QueueNameExists ResourceExistsException',
    ],
    [
      IdempotencyConflictError,
      'IdempotentParameterMismatch IdempotentParameterMismatchException IdempotencyParameterMismatch',
    ],
    [
      UnexpectedError,
      // Settings of a function that Lambda reports with status 502, as if it were the service's fault.
      'EC2AccessDeniedException InvalidRuntimeException InvalidSecurityGroupIDException InvalidSubnetIDException ' +
        'InvalidZipFileException KMSAccessDeniedException KMSDisabledException KMSInvalidStateException ' +
        // The key of a queue or a topic, not what the call asks for.
        'KMSNotFoundException KmsNotFound ' +
        // Code and snapshots that cannot be used, reported with status 409.
        'CodeArtifactUserDeletedException CodeArtifactUserFailedException SnapStartRegenerationFailureException ' +
        // Malformed addresses and handles that SQS reports with status 404.
        'InvalidAddress ReceiptHandleIsInvalid',
    ],
  ]
}

function byStatus(status: number, fault: unknown): TaskErrorClass | undefined {
  if (status === 429) return ThrottlingException
  if (fault === 'server' || status >= 500) return ServiceUnavailableException
  return lookUp(status, [
    [NotFoundError, '404'],
    [TemporaryError, '408'],
    [ConflictError, '409 412'],
  ])
}

/** How AWS's services form the names of two kinds of errors; those with JSON protocols send status 400 for all. */
function byForm(name: string): TaskErrorClass {
  if (/^NoSuch|(NotFound|DoesNotExist)(Exception)?$/.test(name)) return NotFoundError
  return /Already(Exists|Started)(Exception)?$/.test(name) ? ConflictError : UnexpectedError
}

/** A transaction fails for its most final reason: no retry mends a condition that failed beside a conflict. */
function classifyCancellation(reasons: unknown): TaskErrorClass {
  const codes = [reasons].flat().map(reason => (Object(reason) as ErrorFields)['Code'])
  const table: CodeTable = [
    [UnexpectedError, 'ValidationError ItemCollectionSizeLimitExceeded AccessDenied'],
    [ConflictError, 'ConditionalCheckFailed DuplicateItem'],
    [ThrottlingException, 'ThrottlingError ProvisionedThroughputExceeded RequestLimitExceeded'],
    [TemporaryError, 'TransactionConflict'],
  ]
  return table.find(row => codes.some(code => lookUp(code, [row])))?.[0] ?? UnexpectedError
}
