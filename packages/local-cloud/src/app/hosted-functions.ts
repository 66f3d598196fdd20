import { fileURLToPath } from 'node:url'
import { type App, type FunctionDeclaration, functionDefaults, type Places } from '@stepwright/app'
import type { CallOptions, HostedFunction, LambdaIdentity } from '../functions/function-host.ts'
import type { LambdaFunction } from '../lambda/function-configuration.ts'

/**
 * The module of each function.
 * @throws TypeError for a replacement of a function that the app does not have
 */
export function modulesOf(
  { functions, root }: App,
  replace: Readonly<Partial<Record<string, URL>>> = {},
): Readonly<Record<string, URL>> {
  const declared: readonly (readonly [string, FunctionDeclaration])[] = Object.entries(functions)
  const unknown = Object.keys(replace).find(name => !(name in functions))
  if (unknown !== undefined) {
    throw new TypeError(
      `replace: the app has no function ${unknown}; there are ${declared.map(([name]) => name).join(', ')}`,
    )
  }
  return Object.fromEntries(
    declared.map(([name, { module }]) => [name, replace[name] ?? new URL(module, root)]),
  )
}

/** The app's functions as the host runs them. */
export function hostedFunctions(
  app: App,
  modules: Readonly<Record<string, URL>>,
  places: Places,
  environmentOf: (name: string) => Readonly<Record<string, string>>,
): Record<string, HostedFunction> {
  return Object.fromEntries(
    Object.entries(app.functions).map(([name, declared]) => [
      name,
      {
        module: (modules[name] as URL).href,
        export: declared.export,
        timeoutSeconds: declared.timeoutSeconds ?? functionDefaults.timeoutSeconds,
        lambda: lambdaIdentity(app, places, name),
        variables: environmentOf(name),
      },
    ]),
  )
}

export function lambdaIdentity(app: App, places: Places, name: string): LambdaIdentity {
  const declared = app.functions[name] as FunctionDeclaration
  return {
    arn: places.functionArn(name),
    memoryMb: declared.memoryMb ?? functionDefaults.memoryMb,
    handler: `${declared.module.replace(/\.\w+$/, '')}.${declared.export}`,
    taskRoot: fileURLToPath(app.root),
  }
}

/** The app's functions as Lambda's API shows them. */
export function lambdaFunctions(
  app: App,
  places: Places,
  call: (name: string, event: unknown, options: CallOptions) => Promise<unknown>,
): readonly LambdaFunction[] {
  return Object.entries(app.functions).map(([name, declared]) => ({
    ...lambdaIdentity(app, places, name),
    timeoutSeconds: declared.timeoutSeconds ?? functionDefaults.timeoutSeconds,
    call: (event, options) => call(name, event, options),
  }))
}

/** The reserved concurrency of a function, if it has one; a stand-in has none. */
export function declaredConcurrency(app: App, name: string): number | undefined {
  const declared: FunctionDeclaration | undefined = app.functions[name]
  return declared?.concurrency
}
