import { type BusinessErrorClass, defineBusinessError, type TaskError } from '@stepwright/errors'

/** The job's status does not allow the change; `details` holds `from` and `to`. */
export const IllegalTransitionError: BusinessErrorClass<'IllegalTransitionError'> =
  /* @__PURE__ */ defineBusinessError('IllegalTransitionError', { httpStatus: 409 })
export type IllegalTransitionError = TaskError<'IllegalTransitionError', 'business'>

/** Another worker has taken the job over since; stop working. `details` holds `attempt` and `current`. */
export const StaleAttemptError: BusinessErrorClass<'StaleAttemptError'> = /* @__PURE__ */ defineBusinessError(
  'StaleAttemptError',
  { httpStatus: 409 },
)
export type StaleAttemptError = TaskError<'StaleAttemptError', 'business'>

/** The job's owner cancelled it; stop working. */
export const JobCancelledError: BusinessErrorClass<'JobCancelledError'> = /* @__PURE__ */ defineBusinessError(
  'JobCancelledError',
  { httpStatus: 409 },
)
export type JobCancelledError = TaskError<'JobCancelledError', 'business'>

/** The job cannot be retried; `code` is `NOT_FAILED`, `LIMIT_REACHED` or `ALREADY_RETRIED`. */
export const RetryRefusedError: BusinessErrorClass<'RetryRefusedError'> = /* @__PURE__ */ defineBusinessError(
  'RetryRefusedError',
  { httpStatus: 409 },
)
export type RetryRefusedError = TaskError<'RetryRefusedError', 'business'>

/** Nobody waits for the work any more: its execution was stopped, or its time was up. */
export const TokenGoneError: BusinessErrorClass<'TokenGoneError'> = /* @__PURE__ */ defineBusinessError(
  'TokenGoneError',
  { httpStatus: 409 },
)
export type TokenGoneError = TaskError<'TokenGoneError', 'business'>

/** The user has as many jobs that have not ended as they may have; `details` holds `limit`. */
export const TooManyJobsError: BusinessErrorClass<'TooManyJobsError'> = /* @__PURE__ */ defineBusinessError(
  'TooManyJobsError',
  { httpStatus: 429 },
)
export type TooManyJobsError = TaskError<'TooManyJobsError', 'business'>
