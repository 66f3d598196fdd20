import { findTestRunner } from './testing/find-test-runner.ts'
import type { TestRunner } from './testing/test-runner.ts'

export { nodeTestRunner } from './testing/node-test-runner.ts'
export type {
  Expect,
  Expectation,
  Matchers,
  TestFunction,
  TestRunner,
} from './testing/test-runner.ts'

/** The runner that runs this process: Vitest, Jest or `node:test`. The suites of ports take it unless they are given another. */
export const testRunner: TestRunner = await findTestRunner()
