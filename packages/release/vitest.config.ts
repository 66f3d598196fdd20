import { defineProject } from 'vitest/config'

/** Those build, pack and install all packages, or start many commands: `pnpm check` runs them, and `CHECK_RELEASE=1 pnpm test`. */
const slow = process.env['CHECK_RELEASE']
  ? []
  : ['src/publish.test.ts', 'src/lint-tarball.test.ts', 'src/new-project.test.ts', 'src/recipe.test.ts']

export default defineProject({
  test: {
    experimental: { viteModuleRunner: false }, // Node reads TypeScript by itself
    include: ['src/**/*.test.ts'],
    isolate: false,
    exclude: slow,
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
})
