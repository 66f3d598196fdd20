import type { RetryPolicy } from './retry-policy.ts'

/** Retryable: the same call may succeed later. Business: it never will, so catch it and never retry. */
export type ErrorKind = 'retryable' | 'business'

/** What a receiver needs to act on a failure. Must survive JSON. */
export type ErrorDetails = Readonly<Record<string, unknown>>

export interface TaskErrorOptions {
  /** A finer reason than the class, for programs: `OUT_OF_STOCK`. */
  readonly code?: string | undefined
  readonly details?: ErrorDetails | undefined
  /** When a retry is worth the call, if that is known: a lock's expiry, a Retry-After header. */
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** Two copies of this package, of any versions, recognise each other's errors by it. */
export const brand: unique symbol = Symbol.for('@stepwright/error') as never

export interface TaskError<Name extends string = string, Kind extends ErrorKind = ErrorKind> extends Error {
  readonly name: Name
  readonly kind: Kind
  readonly httpStatus: number
  readonly retry: Kind extends 'retryable' ? RetryPolicy : undefined
  readonly code?: string
  readonly details?: ErrorDetails
  readonly retryAfterSeconds?: number
  readonly [brand]: true
}

/** A class of the taxonomy. Its facts are statics, so that a task can declare it without an instance. */
export interface TaskErrorClass<Name extends string = string, Kind extends ErrorKind = ErrorKind> {
  new (message: string, options?: TaskErrorOptions): TaskError<Name, Kind>
  /** What `ErrorEquals` matches: a literal, because a minifier renames classes. */
  readonly errorName: Name
  readonly kind: Kind
  readonly httpStatus: number
  /** How the class wants to be retried; a business error has none. */
  readonly retry: Kind extends 'retryable' ? RetryPolicy : undefined
}

export type RetryableErrorClass<Name extends string = string> = TaskErrorClass<Name, 'retryable'>
export type BusinessErrorClass<Name extends string = string> = TaskErrorClass<Name, 'business'>

/** Whether the value is an error of the taxonomy and, if a class is given, of that class by name. */
export function isTaskError<Name extends string, Kind extends ErrorKind>(
  value: unknown,
  errorClass: TaskErrorClass<Name, Kind>,
): value is TaskError<Name, Kind>
export function isTaskError(value: unknown): value is TaskError
export function isTaskError(value: unknown, errorClass?: TaskErrorClass): boolean {
  const error = value as TaskError | null | undefined
  return !!error?.[brand] && error.name === (errorClass?.errorName ?? error.name)
}
