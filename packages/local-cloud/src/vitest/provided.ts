declare module 'vitest' {
  interface ProvidedContext {
    stepwrightPostgres: { readonly url: string; readonly owned: boolean } | undefined
  }
}

/** A test asked for a service whose global setup is not in its `vitest.config.ts`. */
export class GlobalSetupMissingError extends Error {
  override readonly name = 'GlobalSetupMissingError'
}

/** The service that a global setup provided. */
export function provided<T>(value: T | undefined, setup: string): T {
  if (value !== undefined) return value
  throw new GlobalSetupMissingError(
    `add globalSetup: ['@stepwright/local-cloud/vitest/${setup}'] to the test section of vitest.config.ts`,
  )
}
