import { UnexpectedError } from '@stepwright/errors'
import { stringifyJson } from '@stepwright/errors/json'

/**
 * The JSON text of a task's result; undefined for undefined.
 * @throws UnexpectedError, naming the place, for what JSON would change or drop: the caller would get something else
 */
export function toResultJson(task: string, result: unknown): string | undefined {
  try {
    return stringifyJson(result)
  } catch (cause) {
    const { message } = cause as Error
    throw new UnexpectedError(`the result of ${task} is not JSON: ${message}`, { cause })
  }
}
