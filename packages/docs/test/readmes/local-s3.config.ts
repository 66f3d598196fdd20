import { defineProject } from 'vitest/config'

export default defineProject({ test: { globalSetup: ['@stepwright/local-s3/vitest/setup'] } })
