import type { S3 } from '../s3.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stepwrightS3: Pick<S3, 'endpoint' | 'region' | 'credentials'> | undefined
  }
}
