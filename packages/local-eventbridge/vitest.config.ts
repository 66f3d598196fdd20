import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    experimental: { viteModuleRunner: false }, // Node reads TypeScript by itself
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    isolate: false,
    globalSetup: ['@stepwright/local-eventbridge/vitest/setup'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
