import {
  DatabaseConnectionError,
  defineBusinessError,
  NetworkError,
  ServiceUnavailableException,
  type TaskError,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'
import { withRetry } from '@stepwright/errors/retry'
import type { AnyTask } from '@stepwright/task'

/** The model does not write about this; `code` says whether it or a filter refused. */
export const GenerationRefusedError = defineBusinessError('GenerationRefusedError')
export type GenerationRefusedError = TaskError<'GenerationRefusedError', 'business'>

/** The model's answer was cut off at its limit of tokens, twice. */
export const OutputTruncatedError = defineBusinessError('OutputTruncatedError')
export type OutputTruncatedError = TaskError<'OutputTruncatedError', 'business'>

/** What was asked does not fit into the model's context. */
export const ContextOverflowError = defineBusinessError('ContextOverflowError')
export type ContextOverflowError = TaskError<'ContextOverflowError', 'business'>

/** The model's answer was not what it was asked for, twice. */
export const InvalidOutputError = defineBusinessError('InvalidOutputError')
export type InvalidOutputError = TaskError<'InvalidOutputError', 'business'>

/** RETRYABLE_ERRORS of the design, and its RETRY_CONFIG: after 1, 2 and 4 seconds. */
const designed = withRetry(
  [ThrottlingException, ServiceUnavailableException, DatabaseConnectionError, NetworkError],
  { intervalSeconds: 1, backoffRate: 2, maxAttempts: 3 },
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
  const errors = task.errors
    .filter(({ errorName }) => errorName !== TemporaryError.errorName)
    .map(error => designed.find(({ errorName }) => errorName === error.errorName) ?? error)
  return { ...task, run, errors }
}
