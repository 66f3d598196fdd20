import {
  type BusinessErrorClass,
  DatabaseConnectionError,
  defineBusinessError,
  defineRetryableError,
  type RetryableErrorClass,
  type RetryPolicy,
  type TaskError,
  type TaskErrorClass,
  TemporaryError,
} from '@stepwright/errors'
import type { AnyTask } from '@stepwright/task'

/** The model does not write about this; `code` says whether it or a filter refused. */
export const GenerationRefusedError: BusinessErrorClass<'GenerationRefusedError'> =
  defineBusinessError('GenerationRefusedError')
export type GenerationRefusedError = TaskError<'GenerationRefusedError', 'business'>

/** The model's answer was cut off at its limit of tokens, twice. */
export const OutputTruncatedError: BusinessErrorClass<'OutputTruncatedError'> =
  defineBusinessError('OutputTruncatedError')
export type OutputTruncatedError = TaskError<'OutputTruncatedError', 'business'>

/** What was asked does not fit into the model's context. */
export const ContextOverflowError: BusinessErrorClass<'ContextOverflowError'> =
  defineBusinessError('ContextOverflowError')
export type ContextOverflowError = TaskError<'ContextOverflowError', 'business'>

/** The model's answer was not what it was asked for, twice. */
export const InvalidOutputError: BusinessErrorClass<'InvalidOutputError'> =
  defineBusinessError('InvalidOutputError')
export type InvalidOutputError = TaskError<'InvalidOutputError', 'business'>

/** RETRY_CONFIG of the design: after 1, 2 and 4 seconds. */
const retryConfig: RetryPolicy = { intervalSeconds: 1, backoffRate: 2, maxAttempts: 3 }

/** RETRYABLE_ERRORS of the design. */
const retryableErrors: ReadonlyMap<string, RetryableErrorClass> = new Map(
  ['ThrottlingException', 'ServiceUnavailableException', 'DatabaseConnectionError', 'NetworkError'].map(
    name => [name, defineRetryableError(name, { retry: retryConfig })],
  ),
)

/**
 * A task as the design has it: the four errors of its list are retried by its policy, and nothing else is. What a
 * database passes through besides lost connections counts as one of them.
 */
export function asDesigned<T extends AnyTask>(task: T): T {
  const run: AnyTask['run'] = (...call) =>
    task.run(...call).catch(error => {
      if (error?.name !== TemporaryError.errorName) throw error
      throw new DatabaseConnectionError(error.message, { cause: error })
    })
  return { ...task, run, errors: designedErrors(task.errors) }
}

function designedErrors(errors: readonly TaskErrorClass[]): readonly TaskErrorClass[] {
  const designed = errors.flatMap((error): TaskErrorClass | [] => {
    if (error.errorName === TemporaryError.errorName) return []
    return retryableErrors.get(error.errorName) ?? error
  })
  return designed
}
