import {
  type BusinessErrorClass,
  DatabaseConnectionError,
  defineBusinessError,
  defineRetryableError,
  NetworkError,
  type RetryableErrorClass,
  ServiceUnavailableException,
  type TaskError,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'

/** A newer import or edit of the campaign has taken over, or the import has ended: there is nothing more to do. */
export const SupersededError: BusinessErrorClass<'SupersededError'> = /* @__PURE__ */ defineBusinessError(
  'SupersededError',
  { httpStatus: 409 },
)
export type SupersededError = TaskError<'SupersededError', 'business'>

/** The SQLSTATE with which the database refuses recipients of an import that has ended. */
export const importEndedState = 'SW409'

/** What the database may pass through. */
export const databaseErrors: readonly TaskErrorClass[] = [DatabaseConnectionError, TemporaryError]

/** What the object store, Step Functions and SES may pass through. */
export const serviceErrors: readonly TaskErrorClass[] = [
  NetworkError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
]

/** A chunk is tried twice more, whatever the trouble: after 2 and 4 seconds. */
export const chunkErrors: readonly TaskErrorClass[] = /* @__PURE__ */ [
  DatabaseConnectionError,
  NetworkError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
].map(retriedAsChunk)

function retriedAsChunk({ errorName, httpStatus }: RetryableErrorClass): RetryableErrorClass {
  return defineRetryableError(errorName, {
    httpStatus,
    retry: { intervalSeconds: 2, maxAttempts: 2, backoffRate: 2 },
  })
}
