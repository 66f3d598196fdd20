import { claimName, refuseUnmatchable } from './error-name.ts'
import { doubling, type RetryPolicy } from './retry-policy.ts'
import {
  type BusinessErrorClass,
  brand,
  type RetryableErrorClass,
  type TaskError,
  type TaskErrorClass,
  type TaskErrorOptions,
} from './task-error.ts'

export interface BusinessErrorFacts {
  /** @default 422 */
  readonly httpStatus?: number
}

export interface RetryableErrorFacts {
  /** @default 503 */
  readonly httpStatus?: number
  /** @default 3 retries: after 2, 4 and 8 seconds */
  readonly retry?: RetryPolicy
}

/**
 * Declares an error that no retry can mend.
 * @example class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}
 */
export function defineBusinessError<const Name extends string>(
  name: Name,
  { httpStatus }: BusinessErrorFacts = {},
): BusinessErrorClass<Name> {
  refuseUnmatchable(name)
  return business(name, httpStatus)
}

/**
 * Declares an error that may be gone when the same call is made again.
 * @example class WarehouseBusy extends defineRetryableError('WarehouseBusy') {}
 */
export function defineRetryableError<const Name extends string>(
  name: Name,
  { httpStatus, retry = RetryableError.retry }: RetryableErrorFacts = {},
): RetryableErrorClass<Name> {
  refuseUnmatchable(name)
  refuseImpossible(name, retry)
  return retryable(name, retry, httpStatus)
}

function refuseImpossible(name: string, retry: RetryPolicy): void {
  const { intervalSeconds, maxAttempts, backoffRate, maxDelaySeconds = intervalSeconds } = retry
  const problem = !(Number.isInteger(intervalSeconds) && intervalSeconds >= 1)
    ? `intervalSeconds ${intervalSeconds} is not a whole number above 0`
    : !(Number.isInteger(maxAttempts) && maxAttempts >= 0)
      ? `maxAttempts ${maxAttempts} is not a whole number`
      : !(backoffRate >= 1)
        ? `backoffRate ${backoffRate} is below 1`
        : !(maxDelaySeconds >= intervalSeconds)
          ? `maxDelaySeconds ${maxDelaySeconds} is below intervalSeconds`
          : undefined
  if (problem) throw new TypeError(`the retry policy of ${name}: ${problem}`)
}

export function business<const Name extends string>(name: Name, httpStatus = 422): BusinessErrorClass<Name> {
  return define(BusinessError, name, httpStatus)
}

export function retryable<const Name extends string>(
  name: Name,
  retry: RetryPolicy,
  httpStatus = 503,
): RetryableErrorClass<Name> {
  return define(RetryableError, name, httpStatus, retry)
}

class Base extends Error {
  constructor(message: string, options?: TaskErrorOptions) {
    super(message, options)
    // The cause is there already, as a field that is not listed, and stays one.
    Object.assign(this, options)
  }
}

function define<Class extends TaskErrorClass>(
  parent: new (message: string, options?: TaskErrorOptions) => Error,
  name: string,
  httpStatus: number,
  retry?: RetryPolicy,
): Class {
  const kind = retry ? 'retryable' : 'business'
  claimName(name, kind)
  class Defined extends parent {
    // Lambda's JSON logs print the class's own name.
    static override readonly name = name
  }
  const facts = { kind, httpStatus, retry }
  // On the prototype, so that the stack's first line has the name and a log does not repeat the facts.
  Object.assign(Defined.prototype, facts, { name, [brand]: true })
  return Object.assign(Defined, facts, { errorName: name }) as unknown as Class
}

/**
 * The family of all business errors, and one itself: a rule of the domain says no.
 * Prefer a class of your own that names the rule.
 */
export const BusinessError: BusinessErrorClass<'BusinessError'> = /* @__PURE__ */ define(
  Base,
  'BusinessError',
  422,
)
export type BusinessError = TaskError<'BusinessError', 'business'>

/** The family of all retryable errors, and one itself. Prefer a class that names the trouble. */
export const RetryableError: RetryableErrorClass<'RetryableError'> = /* @__PURE__ */ define(
  Base,
  'RetryableError',
  503,
  /* @__PURE__ */ doubling(2, 3),
)
export type RetryableError = TaskError<'RetryableError', 'retryable'>
