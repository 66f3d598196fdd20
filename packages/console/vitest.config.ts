import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    experimental: { viteModuleRunner: false }, // Node reads TypeScript by itself
    expect: { poll: { timeout: 10_000 } },
    include: ['{src,test}/**/*.test.ts'],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
