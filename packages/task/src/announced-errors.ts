import {
  type Classifier,
  DataValidationError,
  isTaskError,
  PayloadTooLargeError,
  type TaskError,
  type TaskErrorClass,
  TaskTimeoutError,
  toTaskError,
  UnexpectedError,
} from '@stepwright/errors'
import { classifySqlState } from '@stepwright/errors/postgres'

/** What any task can fail with, declared or not: bad input, too much output, too little time, a bug. */
export const commonErrors: readonly TaskErrorClass[] = [
  DataValidationError,
  PayloadTooLargeError,
  TaskTimeoutError,
  UnexpectedError,
]

/**
 * What building a task's ports threw, as the task announces it: a retryable error that it declared, or an
 * `UnexpectedError`. A setting or a missing secret is never the caller's business.
 */
export function announceBuilding(
  declared: readonly TaskErrorClass[],
  thrown: unknown,
  classifiers: readonly Classifier[] = [],
): TaskError {
  return announceOnly(
    declared.filter(({ kind }) => kind === 'retryable'),
    thrown,
    classifiers,
  )
}

/** The error as the task announced it. What it did not announce becomes an `UnexpectedError` around it. */
export function announceOnly(
  declared: readonly TaskErrorClass[],
  thrown: unknown,
  classifiers: readonly Classifier[] = [],
): TaskError {
  const error = toTaskError(thrown, ...classifiers, classifySqlState)
  const announced = [...declared, TaskTimeoutError, UnexpectedError]
  if (announced.some(errorClass => isTaskError(error, errorClass))) return error
  return new UnexpectedError(`undeclared ${error.name}: ${error.message}`, { cause: thrown })
}
