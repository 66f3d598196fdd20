import type { Finding } from '@stepwright/asl'

/** Fields that lead from one state to another. */
const leads = /'(?:Next|Default|Choices|Catch)'/

/**
 * Leaves out findings that only follow from another one: a state that is not reachable because its name is misspelled
 * in the state before, a field that is missing because it is misspelled. Whatever is left of them after the correction
 * is reported then.
 */
export function withoutConsequences(findings: readonly Finding[]): readonly Finding[] {
  const misspelled = findings.filter(({ rule, suggestion }) => rule === 'valid/unknown-field' && suggestion)
  const misled = [
    ...findings.filter(({ rule }) => rule === 'valid/transition'),
    ...misspelled.filter(({ suggestion = '' }) => leads.test(suggestion)),
  ]
  return findings.filter(({ rule, pointer, message }) => {
    if (rule === 'valid/unreachable') return !misled.some(cause => isAmong(parentOf(pointer), cause.pointer))
    if (rule !== 'valid/required-field' && rule !== 'valid/transition') return true
    return !misspelled.some(cause => parentOf(cause.pointer) === pointer && message.includes(meantBy(cause)))
  })
}

/** Whether a pointer leads into one of these states, and not into those of a Map or Parallel among them. */
function isAmong(states: string, pointer: string): boolean {
  return pointer.startsWith(`${states}/`) && !/\/States(?:\/|$)/.test(pointer.slice(states.length))
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/')) || '/'
}

/** `Next` of "Did you mean 'Next'?" */
function meantBy({ suggestion = '' }: Finding): string {
  return /'([^']+)'/.exec(suggestion)?.[1] ?? suggestion
}
