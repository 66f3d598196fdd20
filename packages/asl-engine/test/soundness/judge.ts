import type { Finding, StateMachine } from '@stepwright/asl'
import type { Passage } from './drive.ts'

/**
 * What the executions show of a finding: `right` when one failed in its state, `wrong` when one left the state by a way
 * of which the finding says that it cannot, `unseen` when neither happened.
 */
export type Verdict = 'right' | 'wrong' | 'unseen'

/** Rules that say what cannot go well. The others of the data flow say what may not. */
const certain = new Set([
  'flow/missing-path',
  'flow/result-path',
  'flow/sometimes-missing',
  'flow/unassigned-variable',
  'flow/unknown-context',
  'flow/wrong-type',
])

export function judge(finding: Finding, passages: readonly Passage[], definition: StateMachine): Verdict {
  if (finding.rule === 'flow/catcher-drops-input') return judgeDropped(finding, passages, definition)
  const state = stateOf(finding.pointer)
  // what is said of a Map's items is not refuted where there are none
  const ofItems = finding.pointer.includes(`/${state}/ItemSelector/`)
  const inCatch = finding.pointer.includes(`/${state}/Catch/`)
  // nor what is said of a rule of a Choice where an earlier one was taken
  const ofLaterRule = /\/Choices\/[1-9]/.test(
    finding.pointer.slice(finding.pointer.lastIndexOf(`/${state}/`)),
  )
  const ways = waysOf(finding.message)
  const isCertain =
    certain.has(finding.rule) &&
    !ofItems &&
    !ofLaterRule &&
    (finding.rule !== 'flow/sometimes-missing' || ways !== undefined)
  let failed = false
  for (const passage of passages) {
    if (passage.state !== state) continue
    if (ways !== undefined && !isNamed(passage.from, state, ways, definition)) continue
    // what is said of a catcher concerns only those who come by it
    if (isCertain && passage.end === (inCatch ? 'caught' : 'left')) return 'wrong'
    failed ||= passage.end === 'failed'
  }
  return failed ? 'right' : 'unseen'
}

/** What a catcher drops fails the state that reads it later, in the executions in which something was caught. */
function judgeDropped(
  { pointer, message }: Finding,
  passages: readonly Passage[],
  definition: StateMachine,
): Verdict {
  const catching = stateOf(pointer)
  const reading = /which "([^"]*)" reads/.exec(message)?.[1]
  const caught = new Set(
    passages.filter(({ state, end }) => state === catching && end === 'caught').map(({ run }) => run),
  )
  const after = passages.filter(({ state, run }) => state === reading && caught.has(run))
  if (after.some(({ end }) => end === 'failed')) return 'right'
  // what a Map reads for its items is not read where there are none
  const reader = findState(definition, reading ?? '') as { readonly ItemSelector?: unknown } | undefined
  const refuted = reader?.ItemSelector === undefined && after.some(({ end }) => end === 'left')
  return refuted ? 'wrong' : 'unseen'
}

function stateOf(pointer: string): string {
  return pointer.split('/').findLast((_part, index, parts) => parts[index - 1] === 'States') ?? ''
}

/** The ways of which alone a finding speaks: each with the state it comes from. */
function waysOf(message: string): readonly string[] | undefined {
  const ways = /by way of (.*)\.$/.exec(message)?.[1]
  return ways?.split(/, | and | or /)
}

/** Whether the way from a state is one of those, and no other way leads from it to the same state. */
function isNamed(
  from: string | undefined,
  to: string,
  ways: readonly string[],
  definition: StateMachine,
): boolean {
  const named = ways.filter(way => (from === undefined ? way === 'the start' : way.includes(`"${from}"`)))
  return named.length > 0 && (from === undefined || named.length === edgesBetween(from, to, definition))
}

function edgesBetween(from: string, to: string, definition: StateMachine): number {
  const own = new RegExp(`"(?:Next|Default)":"${to}"`, 'g')
  return (JSON.stringify(findState(definition, from) ?? '').match(own) ?? []).length
}

function findState(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const states = (value as { readonly States?: Readonly<Record<string, unknown>> }).States
  if (states !== undefined && Object.hasOwn(states, name)) return states[name]
  for (const inner of Object.values(value)) {
    const found = findState(inner, name)
    if (found !== undefined) return found
  }
  return undefined
}
