import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const demo = join(import.meta.dirname, '..')

it('runs contract suites, matcher and shared services in the oldest Vitest that peers allow', {
  timeout: 120_000,
}, async () => {
  const vitest = join(demo, 'node_modules/vitest-3/vitest.mjs')
  const args = [vitest, 'run', '--config', 'test/vitest-3.config.ts', '--reporter', 'json']
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: demo, env })
  const { success, numTotalTests, numTotalTestSuites, numFailedTests } = JSON.parse(stdout)
  expect({ success, numFailedTests }).toEqual({ success: true, numFailedTests: 0 })
  expect(numTotalTestSuites).toBeGreaterThan(6)
  expect(numTotalTests).toBeGreaterThan(120)
})
