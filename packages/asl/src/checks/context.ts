import type { ErrorContract } from '@stepwright/task'
import type { FindContract } from '../contract/contract.ts'
import type { Report } from '../finding.ts'
import type { Scope } from '../machine/machine.ts'

/** What every check is given. */
export interface CheckContext {
  readonly machine: Scope
  readonly report: Report
  readonly findContract: FindContract
  /** All errors that exist in the project, where they were named. */
  readonly errors: readonly ErrorContract[] | undefined
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
