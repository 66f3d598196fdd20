import { type RunningApp, type StartAppOptions, startApp } from '@stepwright/local-cloud'
import { app } from '../app.ts'
import { createGenerationClient, type GenerationClient } from '../client.ts'
import type { LocalScript } from '../generators/local.ts'

export type RunningGenerations = RunningApp<keyof typeof app.functions, 'generation'>

/** Starts the app with the generator that writes texts without a model. */
export function startGenerations(
  script: LocalScript = {},
  { environment, ...options }: StartAppOptions = {},
): Promise<RunningGenerations> {
  const given = { POWERTOOLS_LOG_LEVEL: 'SILENT', LOCAL_SCRIPT: JSON.stringify(script), ...environment }
  return startApp(app, { enforcePolicies: true, ...options, environment: given })
}

/** The API for a user with a token of their own. */
export function userOf({ gateway }: RunningGenerations, sub: string): GenerationClient {
  if (gateway === undefined) throw new TypeError('the app has routes')
  return createGenerationClient({ endpoint: gateway.endpoint, token: gateway.issueToken({ sub }) })
}
