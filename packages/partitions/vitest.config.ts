import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    experimental: { viteModuleRunner: false }, // Node reads TypeScript by itself
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
