import { reconcileRetry } from '../contract/retry.ts'
import type { Fix } from '../finding.ts'
import type { Json } from '../language.ts'
import type { StateNode } from '../machine/machine.ts'
import { under } from '../source/pointer.ts'
import type { CheckContext } from './context.ts'

/** Puts the Retry of a state in step with its task. For Catch there is no such fix: where errors lead is the author's to say. */
export function retryFix(state: StateNode, context: CheckContext): Fix | undefined {
  const contract = context.findContract(state)
  if (contract === undefined) return undefined
  const value = reconcileRetry(state.fields['Retry'], contract) as unknown as Json
  return { pointer: under(state.pointer, 'Retry'), value }
}
