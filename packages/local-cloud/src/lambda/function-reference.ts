import { Refusal } from '../refusal.ts'
import { functionNotFound } from './function-not-found.ts'

const pattern =
  '(arn:(aws[a-zA-Z-]*)?:lambda:)?([a-z]{2}(-gov)?-[a-z]+-\\d{1}:)?(\\d{12}:)?(function:)?([a-zA-Z0-9-_]+)(:(\\$LATEST|[a-zA-Z0-9-_]+))?'
const reference = new RegExp(`^${pattern}$`)

/** The name of a function that was given by its name, or by the whole or a part of its ARN. */
export function parseFunctionName(given: string, prefix: string, qualifier: string | null): string {
  const parts = reference.exec(given)
  if (parts === null) {
    throw new Refusal(
      400,
      'ValidationException',
      `1 validation error detected: Value '${given}' at 'functionName' failed to satisfy constraint: Member must satisfy regular expression pattern: ${pattern}`,
    )
  }
  const name = parts[7] ?? ''
  const version = parts[9] ?? qualifier ?? '$LATEST'
  // Functions of an app are deployed without versions and aliases.
  if (version !== '$LATEST') throw functionNotFound(`${prefix}${name}:${version}`)
  return name
}
