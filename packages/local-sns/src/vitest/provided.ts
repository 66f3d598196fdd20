import type { Sns } from '../sns.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stepwrightSns: Sns['clientConfig'] | undefined
  }
}
