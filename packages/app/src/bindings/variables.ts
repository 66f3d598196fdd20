import { UnexpectedError } from '@stepwright/errors'
import type { Environment } from '@stepwright/task/settings'

/** @throws UnexpectedError that names the variable if it is missing or empty */
export function readVariable(environment: Environment, name: string): string {
  const value = environment[name]
  if (value) return value
  throw new UnexpectedError(
    `the environment variable ${name} is ${value === '' ? 'empty' : 'not set'}; the app's declaration provides it: start the function through the app, or give an environment to with()`,
  )
}
