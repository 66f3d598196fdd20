import type { Environment } from '@stepwright/task/settings'
import { readVariable } from './variables.ts'

/**
 * Every binding reads secret values here, and nowhere else: the value of a secret, or the connection string of a
 * database. Their source is the environment variable that the app's declaration sets.
 */
export async function readSecret(environment: Environment, name: string): Promise<string> {
  return readVariable(environment, name)
}
