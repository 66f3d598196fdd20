import type { Sqs } from '../sqs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stepwrightSqs: Sqs['clientConfig'] | undefined
  }
}
