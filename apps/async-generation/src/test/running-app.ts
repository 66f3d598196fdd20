import { type RunningApp, type StartAppOptions, startApp } from '@stepwright/local-cloud'
import { createGenerationClient, type GenerationClient } from '../../web/client.ts'
import { app } from '../app.ts'
import type { LocalScript } from '../generators/local.ts'

export type RunningGenerations = RunningApp

/** Starts the app with the generator that writes texts without a model. */
export function startGenerations(
  script: LocalScript = {},
  { environment, ...options }: StartAppOptions = {},
  declared: typeof app = app,
): Promise<RunningGenerations> {
  const given = { POWERTOOLS_LOG_LEVEL: 'SILENT', LOCAL_SCRIPT: JSON.stringify(script), ...environment }
  return startApp(declared, { enforcePolicies: true, ...options, environment: given })
}

/** The API for a user with a token of their own. */
export function userOf(
  { gateway }: RunningGenerations,
  sub: string,
  claims: Readonly<Record<string, string>> = {},
): GenerationClient {
  if (gateway === undefined) throw new TypeError('the app has routes')
  return createGenerationClient({ endpoint: gateway.endpoint, token: gateway.issueToken({ sub, ...claims }) })
}

export interface HeldWorker {
  /** Resolves at its first call. */
  readonly called: Promise<void>
  release(): void
}

/** Holds calls of the worker back until they are let go; the next ones pass. */
export function holdWorker(running: RunningGenerations): HeldWorker {
  const called = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  running.intercept('AIGenerationWorker', async call => {
    called.resolve()
    await go.promise
    return call()
  })
  return {
    called: called.promise,
    release() {
      running.intercept('AIGenerationWorker')
      go.resolve()
    },
  }
}
