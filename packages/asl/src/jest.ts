import { type HonourMatchers, honourMatchers } from './honour.ts'

export type { HonourMatchers, HonourOptions } from './honour.ts'

declare global {
  namespace jest {
    // the type parameters must be those of @types/jest
    // biome-ignore lint/complexity/noBannedTypes: likewise
    interface Matchers<R, T = {}> extends HonourMatchers<R> {}
  }
}

/** Jest gives it to its tests; it need not be installed. */
const jestGlobals = '@jest/globals' as string
const { expect } = (await import(jestGlobals)) as { expect: { extend(matchers: object): void } }
expect.extend(honourMatchers)
