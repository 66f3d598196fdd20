import type { TestRunner } from './test-runner.ts'

/** Jest gives it to its tests; it need not be installed. */
const jestGlobals = '@jest/globals' as string

/** The runner that runs this process: Vitest, Jest (whose modules are ES modules here), else `node:test`. */
export async function findTestRunner(): Promise<TestRunner> {
  // Variables are inherited by what a test starts, so that they say less than what a process has itself.
  const { env } = process
  if ('__vitest_worker__' in globalThis) return vitestRunner()
  if ('JEST_WORKER_ID' in env) return (await import(jestGlobals)) as TestRunner
  if ('VITEST' in env && !('NODE_TEST_CONTEXT' in env)) return vitestRunner()
  return (await import('./node-test-runner.ts')).nodeTestRunner
}

async function vitestRunner(): Promise<TestRunner> {
  return (await import('vitest')) as unknown as TestRunner
}
