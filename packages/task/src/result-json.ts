import { UnexpectedError } from '@stepwright/errors'
import { assertJson } from '@stepwright/errors/json'

/**
 * The JSON text of a task's result; undefined for undefined.
 * @throws UnexpectedError, naming the place, for what JSON would change or drop: the caller would get something else
 */
export function toResultJson(task: string, result: unknown): string | undefined {
  try {
    assertJson(result)
    return JSON.stringify(result)
  } catch (cause) {
    const { message } = cause as Error
    throw new UnexpectedError(`the result of ${task} is not JSON: ${message}`, { cause })
  }
}
