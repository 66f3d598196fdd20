/** A test asked for a service whose global setup is not in its `vitest.config.ts`. */
export class GlobalSetupMissingError extends Error {
  override readonly name = 'GlobalSetupMissingError'
}

/** What a global setup has provided; `setup` is the module that does. */
export function provided<T>(value: T | undefined, setup: string): T {
  if (value !== undefined) return value
  throw new GlobalSetupMissingError(`add globalSetup: ['${setup}'] to the test section of vitest.config.ts`)
}
