import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    experimental: { viteModuleRunner: false }, // Node reads TypeScript by itself
    expect: { poll: { timeout: 10_000 } },
    include: ['{src,test}/**/*.test.ts'],
    globalSetup: ['@stepwright/local-s3/vitest/setup'],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
