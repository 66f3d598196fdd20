import type { App, StandInDeclaration } from '@stepwright/app'
import type { HostedFunction } from '../functions/function-host.ts'

const defaultTimeoutSeconds = 3600

/** The app's stand-ins as the host runs them. */
export function hostedStandIns(
  app: App,
  environmentOf: (name: string) => Readonly<Record<string, string>>,
): Record<string, HostedFunction> {
  const declared: readonly (readonly [string, StandInDeclaration])[] = Object.entries(app.standIns ?? {})
  return Object.fromEntries(
    declared.map(([key, standIn]) => [
      key,
      {
        module: new URL(standIn.module, app.root).href,
        export: standIn.export ?? key.slice(key.lastIndexOf(':') + 1),
        timeoutSeconds: standIn.timeoutSeconds ?? defaultTimeoutSeconds,
        variables: environmentOf(key),
      },
    ]),
  )
}
