import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest-3/config'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** What of ours runs inside Vitest: the contract suites, the matcher, the shared services. */
export default defineConfig({
  root,
  resolve: { alias: [{ find: /^vitest$/, replacement: fileURLToPath(import.meta.resolve('vitest-3')) }] },
  test: {
    include: [
      'packages/asl/src/vitest.test.ts',
      'packages/{audit-log,batch-writer,idempotency,object-store,progress}/src/memory-*.test.ts',
      'packages/local-s3/src/vitest/test-bucket.test.ts',
    ],
    globalSetup: ['packages/local-s3/src/vitest/setup.ts'],
  },
})
