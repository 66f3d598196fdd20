import { expect } from 'vitest'
import { type CheckOptions, checkWorkflow } from './check-workflow.ts'
import type { Tasks } from './contract/contract.ts'
import type { Finding } from './finding.ts'

export interface HonourOptions extends Omit<CheckOptions, 'tasks'> {
  /** Findings of this severity and above fail the test. @default 'warning' */
  readonly severity?: Finding['severity']
}

interface HonourMatchers<Result> {
  /** Passes when `checkWorkflow` finds nothing that contradicts the tasks. */
  toHonour(tasks: Tasks, options?: HonourOptions): Result
}

declare module 'vitest' {
  // the type parameters must be those of Vitest's own declaration
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends HonourMatchers<R> {}
}

const ranks = { info: 0, warning: 1, error: 2 } as const

expect.extend({
  toHonour(definition: unknown, tasks: Tasks, { severity = 'warning', ...options }: HonourOptions = {}) {
    const findings = checkWorkflow(definition, { ...options, tasks }).filter(
      finding => ranks[finding.severity] >= ranks[severity],
    )
    return {
      pass: findings.length === 0,
      message: () =>
        findings.length === 0
          ? 'Expected the state machine not to honour its tasks, but nothing was found.'
          : `The state machine does not honour its tasks:\n\n${findings.map(describe).join('\n\n')}`,
    }
  },
})

function describe({ rule, pointer, line, column, message, suggestion }: Finding): string {
  return [
    `${rule}  ${pointer} (${line}:${column})`,
    `  ${message}`,
    ...(suggestion === undefined ? [] : [`  ${suggestion}`]),
  ].join('\n')
}
