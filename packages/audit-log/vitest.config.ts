import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['@stepwright/local-cloud/vitest/dynamodb'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
