import {
  ConcurrentExecutionError,
  ForbiddenError,
  NetworkError,
  ServiceUnavailableException,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'
import { withRetry } from '@stepwright/errors/retry'

const passing = [NetworkError, ServiceUnavailableException, ThrottlingException]

/** What S3 and DynamoDB can fail with, whatever they are asked. */
export const serviceErrors: readonly TaskErrorClass[] = [ForbiddenError, TemporaryError, ...passing]

/** The same for Preflight, which the contract retries at most twice. A reprocessing waits 150 s for the lock. */
export const preflightErrors: readonly TaskErrorClass[] = [
  ForbiddenError,
  ...withRetry([TemporaryError], { intervalSeconds: 2, maxAttempts: 2, backoffRate: 2 }),
  ...withRetry(passing, { intervalSeconds: 1, maxAttempts: 2, backoffRate: 2 }),
  ...withRetry([ConcurrentExecutionError], { intervalSeconds: 50, maxAttempts: 2, backoffRate: 2 }),
]
