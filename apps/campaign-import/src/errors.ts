import {
  type BusinessErrorClass,
  ConflictError,
  DatabaseConnectionError,
  defineBusinessError,
  NetworkError,
  type RetryableErrorClass,
  ServiceUnavailableException,
  type TaskError,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'
import { withRetry } from '@stepwright/errors/retry'
import { maxHoldSeconds } from '@stepwright/mail'

/** A newer import or edit of the campaign has taken over, or it was ended: there is nothing more to do. */
export const SupersededError: BusinessErrorClass<'SupersededError'> = defineBusinessError('SupersededError', {
  httpStatus: 409,
})
export type SupersededError = TaskError<'SupersededError', 'business'>

/** The sender or the content was refused, and would be for everybody: the campaign is 送信停止. */
export const SendRefusedError: BusinessErrorClass<'SendRefusedError'> =
  defineBusinessError('SendRefusedError')

/** A campaign is not 送信済 while there is anyone to send to. */
export const PendingRecipientsError: BusinessErrorClass<'PendingRecipientsError'> =
  defineBusinessError('PendingRecipientsError')

export function nobodyToResend(): ConflictError {
  return new ConflictError(
    'the campaign is not over, was changed meanwhile, or everybody is known to have got it',
    {
      code: 'NOBODY_UNCONFIRMED',
    },
  )
}

export function senderAtWork(inFlight: number): ConflictError {
  return new ConflictError(
    `${inFlight} messages are being sent, or were when the sender died: try again in half a minute`,
    { code: 'SENDER_AT_WORK', details: { inFlight }, retryAfterSeconds: maxHoldSeconds },
  )
}

/** The SQLSTATE with which the database refuses recipients of an import that has ended. */
export const importEndedState = 'SW409'

/** What the database may pass through. */
export const databaseErrors: readonly RetryableErrorClass[] = [DatabaseConnectionError, TemporaryError]

/** What the object store, Step Functions and SES may pass through. */
export const serviceErrors: readonly RetryableErrorClass[] = [
  NetworkError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
]

/** A chunk is tried twice more, whatever the trouble: after 2 and 4 seconds. */
export const chunkErrors: readonly TaskErrorClass[] = withRetry([DatabaseConnectionError, ...serviceErrors], {
  intervalSeconds: 2,
  maxAttempts: 2,
  backoffRate: 2,
})

/** A send waits two hours for a database to come back. */
export const sendErrors: readonly TaskErrorClass[] = withRetry(databaseErrors, {
  intervalSeconds: 2,
  maxAttempts: 30,
  backoffRate: 2,
  maxDelaySeconds: 300,
})
