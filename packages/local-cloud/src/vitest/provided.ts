import type { DynamoDb } from '../dynamodb.ts'
import type { Postgres } from '../postgres.ts'
import type { S3 } from '../s3.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stepwrightDynamoDb: Pick<DynamoDb, 'endpoint' | 'region' | 'credentials'> | undefined
    stepwrightPostgres: Pick<Postgres, 'url' | 'owned'> | undefined
    stepwrightS3: Pick<S3, 'endpoint' | 'region' | 'credentials'> | undefined
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
