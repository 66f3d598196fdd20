import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['postgres', 'dynamodb', 's3'].map(service => `@stepwright/local-cloud/vitest/${service}`),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
