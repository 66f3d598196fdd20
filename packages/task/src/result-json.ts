import { UnexpectedError } from '@stepwright/errors'
import { stringifyStrictly } from '@stepwright/errors/json'

/**
 * The JSON text of a task's result; undefined for undefined.
 * @throws UnexpectedError, naming the place, for what JSON would change or drop: the caller would get something else
 */
export function toResultJson(task: string, result: unknown): string | undefined {
  return stringifyStrictly(
    result,
    (what, path) => new UnexpectedError(`the result of ${task} is not JSON: ${what} at ${path}`),
  )
}
