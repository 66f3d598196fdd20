import { defineProject } from 'vitest/config'

export default defineProject({ test: { globalSetup: ['@stepwright/local-postgres/vitest/setup'] } })
