import { expect } from 'vitest'
import { type HonourMatchers, honourMatchers } from './honour.ts'

export type { HonourOptions } from './honour.ts'

declare module 'vitest' {
  // the type parameters must be those of Vitest's own declaration
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends HonourMatchers<R> {}
}

expect.extend(honourMatchers)
