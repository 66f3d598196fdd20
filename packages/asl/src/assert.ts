import { AssertionError } from 'node:assert'
import type { Tasks } from './contract/contract.ts'
import { contradictions, describeAll, type HonourOptions } from './honour.ts'

export type { HonourOptions } from './honour.ts'

/**
 * For `node:test` and every other runner: passes when `checkWorkflow` finds nothing that contradicts the tasks.
 * @throws AssertionError
 */
export function assertHonours(definition: unknown, tasks: Tasks, options?: HonourOptions): void {
  const findings = contradictions(definition, tasks, options)
  if (findings.length === 0) return
  throw new AssertionError({
    message: describeAll(findings),
    actual: findings,
    expected: [],
    operator: 'honours',
  })
}
