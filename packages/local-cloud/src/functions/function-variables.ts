import { AsyncLocalStorage } from 'node:async_hooks'

/** What Lambda's runtime tells each function in its environment, by name. */
export type FunctionVariables = Readonly<Record<string, string>>

const ofCall = new AsyncLocalStorage<FunctionVariables>()
let isInstalled = false

/**
 * Runs a call with variables of its function in `process.env`, over those of the process: functions of an app share
 * one, and each has a name, a size and a handler of its own.
 */
export function withFunctionVariables<T>(variables: FunctionVariables, call: () => T): T {
  install()
  return ofCall.run(variables, call)
}

function install(): void {
  if (isInstalled) return
  isInstalled = true
  const own = (name: string | symbol): string | undefined => {
    const variables = ofCall.getStore()
    return typeof name === 'string' && variables && Object.hasOwn(variables, name)
      ? variables[name]
      : undefined
  }
  process.env = new Proxy(process.env, {
    get: (shared, name) => own(name) ?? Reflect.get(shared, name),
    // As a variable of the process: the default would define a property, which an environment refuses.
    set: (shared, name, value) => Reflect.set(shared, name, value),
    has: (shared, name) => own(name) !== undefined || Reflect.has(shared, name),
    ownKeys: shared => [...new Set([...Reflect.ownKeys(shared), ...Object.keys(ofCall.getStore() ?? {})])],
    getOwnPropertyDescriptor(shared, name) {
      const value = own(name)
      if (value === undefined) return Reflect.getOwnPropertyDescriptor(shared, name)
      return { value, configurable: true, enumerable: true, writable: true }
    },
  })
}
