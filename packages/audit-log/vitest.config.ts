import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['@stepwright/local-dynamodb/vitest/setup'],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
