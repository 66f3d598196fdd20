import type { EventBridge } from '../eventbridge.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stepwrightEventBridge: EventBridge['clientConfig'] | undefined
  }
}
