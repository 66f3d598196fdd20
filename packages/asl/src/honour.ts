import { type CheckOptions, checkWorkflow } from './check-workflow.ts'
import type { Tasks } from './contract/contract.ts'
import type { Finding } from './finding.ts'

export interface HonourOptions extends Omit<CheckOptions, 'tasks'> {
  /** Findings of this severity and above fail the test. @default 'warning' */
  readonly severity?: Finding['severity']
}

export interface HonourMatchers<Result> {
  /** Passes when `checkWorkflow` finds nothing that contradicts the tasks. */
  toHonour(tasks: Tasks, options?: HonourOptions): Result
  /** Passes when the run of a workflow succeeded; says otherwise which state failed, and why. */
  toHaveSucceeded(): Result
}

/** What `runWorkflow` of `@stepwright/asl-engine/testing` gives, as far as the matcher looks at it. */
export interface RunLike {
  readonly status: string
  readonly failedState?: string | undefined
  readonly error?: string | undefined
  readonly cause?: string | undefined
  /** The states that were entered. */
  readonly path?: readonly string[]
}

const ranks = { info: 0, warning: 1, error: 2 } as const

/** For the `expect.extend` of Vitest and Jest. */
export const honourMatchers = {
  toHonour(definition: unknown, tasks: Tasks, options?: HonourOptions): { pass: boolean; message(): string } {
    const findings = contradictions(definition, tasks, options)
    return {
      pass: findings.length === 0,
      message: () =>
        findings.length === 0
          ? 'Expected the state machine not to honour its tasks, but nothing was found.'
          : describeAll(findings),
    }
  },

  toHaveSucceeded(run: RunLike): { pass: boolean; message(): string } {
    const pass = run.status === 'SUCCEEDED'
    return { pass, message: () => (pass ? 'Expected the run not to succeed, but it did.' : describeRun(run)) }
  },
}

function describeRun({ status, failedState, error, cause, path = [] }: RunLike): string {
  const at = failedState === undefined ? '' : ` at ${failedState}`
  return [
    `Expected the run to succeed, but it is ${status}${at}: ${error ?? 'no error name'}`,
    ...(cause ? [cause] : []),
    ...(path.length > 0 ? [`It went through ${path.join(', ')}.`] : []),
  ].join('\n')
}

/** What `checkWorkflow` finds, of the severity that counts. */
export function contradictions(
  definition: unknown,
  tasks: Tasks,
  { severity = 'warning', ...options }: HonourOptions = {},
): readonly Finding[] {
  return checkWorkflow(definition, { ...options, tasks }).filter(
    finding => ranks[finding.severity] >= ranks[severity],
  )
}

export function describeAll(findings: readonly Finding[]): string {
  return `The state machine does not honour its tasks:\n\n${findings.map(describe).join('\n\n')}`
}

function describe({ rule, pointer, line, column, message, suggestion }: Finding): string {
  return [
    `${rule}  ${pointer} (${line}:${column})`,
    `  ${message}`,
    ...(suggestion === undefined ? [] : [`  ${suggestion}`]),
  ].join('\n')
}
