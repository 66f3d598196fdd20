import { type AnyApp, functionDefaults, type Places } from '@stepwright/app'
import type { HostedFunction } from '../functions/function-host.ts'

/** The app's functions as the host runs them. */
export function hostedFunctions(
  app: AnyApp,
  places: Places,
  environmentOf: (name: string) => Readonly<Record<string, string>>,
): Record<string, HostedFunction> {
  return Object.fromEntries(
    Object.entries(app.functions).map(([name, declared]) => [
      name,
      {
        arn: places.functionArn(name),
        module: new URL(declared.module, app.root).href,
        export: declared.export,
        memoryMb: declared.memoryMb ?? functionDefaults.memoryMb,
        timeoutSeconds: declared.timeoutSeconds ?? functionDefaults.timeoutSeconds,
        variables: environmentOf(name),
      },
    ]),
  )
}
