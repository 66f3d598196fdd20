import type { StateMachine, States } from '@stepwright/asl'
import { equalJson, isArray, isObject, type Json } from '../json.ts'
import type { DrivenRun } from './drive-workflow.ts'
import { unknownNames } from './marked-names.ts'
import type { RecordedExecution } from './recorded-execution.ts'

export type IsSame = (recorded: Json | undefined, now: Json | undefined) => boolean

interface Visit {
  readonly state: string
  readonly input: Json
}

/** Where a replay parts from what was recorded, in sentences. */
export function compareReplay(
  definition: StateMachine,
  recorded: RecordedExecution,
  run: DrivenRun,
  isSame: IsSame = createComparison(definition),
): readonly string[] {
  const inner = new Set(innerStates(definition.States))
  const before = recorded.path.map((state, index) => ({ state, input: recorded.inputs[index] ?? null }))
  const now = run.history.flatMap(({ stateEnteredEventDetails: details }): Visit[] =>
    details ? [{ state: String(details['name']), input: JSON.parse(String(details['input'])) as Json }] : [],
  )
  const isCut = recorded.status === 'RUNNING' || recorded.status === 'ABORTED'
  const outside = (visits: readonly Visit[]): Visit[] => visits.filter(({ state }) => !inner.has(state))
  const path = comparePath(outside(before), outside(now), isSame, isCut)
  const differences = [...path]
  // Once the ways have parted, what happens inside of Maps and Parallels is another matter.
  if (path.length === 0)
    for (const state of inner) differences.push(...compareVisits(state, before, now, isSame, isCut))
  if (isCut) return differences
  return [...differences, ...compareEnd(recorded, run, isSame)]
}

/** The states of the machine itself follow each other. */
function comparePath(
  before: readonly Visit[],
  now: readonly Visit[],
  isSame: IsSame,
  isCut: boolean,
): readonly string[] {
  const length = isCut ? before.length : Math.max(before.length, now.length)
  for (let index = 0; index < length; index += 1) {
    const [then, visit] = [before[index], now[index]]
    if (then?.state !== visit?.state) {
      const after = index === 0 ? 'At the start' : `After ${before[index - 1]?.state} (state ${index})`
      const [to, toNow] = [then?.state ?? 'its end', visit?.state ?? 'its end']
      return [`${after} it went to ${to}, and now goes to ${toNow}.`]
    }
    if (!isSame(then?.input, visit?.input))
      return [`${then?.state} (state ${index + 1}) is given something else than when it was recorded.`]
  }
  return []
}

/** Those inside a Map or a Parallel are entered in any order. */
function compareVisits(
  state: string,
  before: readonly Visit[],
  now: readonly Visit[],
  isSame: IsSame,
  isCut: boolean,
): readonly string[] {
  const then = before.filter(visit => visit.state === state)
  const left = now.filter(visit => visit.state === state)
  if (isCut ? then.length > left.length : then.length !== left.length)
    return [`${state} was entered ${times(then.length)}, and now is entered ${times(left.length)}.`]
  let others = 0
  for (const { input } of then) {
    const index = left.findIndex(visit => isSame(input, visit.input))
    if (index < 0) others += 1
    else left.splice(index, 1)
  }
  if (others === 0) return []
  const share = then.length === 1 ? '' : ` (${others} of ${then.length} times)`
  return [`${state} is given something else than when it was recorded${share}.`]
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function compareEnd(recorded: RecordedExecution, run: DrivenRun, isSame: IsSame): readonly string[] {
  if (run.status === 'RUNNING')
    return [`It ended ${recorded.status}, and now waits for an answer of ${run.waitsFor.join(', ')}.`]
  if (recorded.status !== run.status)
    return [`It ended ${recorded.status}, and now ends ${run.status}${run.error ? ` (${run.error})` : ''}.`]
  if (recorded.error !== undefined && recorded.error !== run.error)
    return [`It failed with ${recorded.error}, and now fails with ${run.error}.`]
  if (recorded.output !== undefined && !isSame(recorded.output, run.output))
    return ['Its output is another one.']
  return []
}

function innerStates(states: States): string[] {
  return Object.values(states).flatMap(state => {
    if (state.Type === 'Parallel') return state.Branches.flatMap(branch => allStates(branch.States))
    if (state.Type === 'Map') return allStates((state.ItemProcessor ?? state.Iterator)?.States ?? {})
    return []
  })
}

function allStates(states: States): string[] {
  return [...Object.keys(states), ...innerStates(states)]
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/

/**
 * Whether two values are the same, except for what no history tells: the names of the execution, random values, the
 * time where the definition reads it, and what Lambda says of each call besides its payload.
 */
export function createComparison(definition: StateMachine): IsSame {
  const text = JSON.stringify(definition)
  const readsTime = /\$\$|\$states\.context|\$now\(/.test(text)
  const readsNumbers = /States\.MathRandom|\$random\(|\$millis\(/.test(text)
  const isSame = (recorded: Json, now: Json): boolean => {
    if (typeof now === 'string' && typeof recorded === 'string' && recorded !== now) {
      if (Object.values(unknownNames).some(name => now.includes(name))) return true
      return readsTime && timestamp.test(now) && timestamp.test(recorded)
    }
    if (typeof now === 'number' && typeof recorded === 'number') return readsNumbers || now === recorded
    if (isArray(now) && isArray(recorded))
      return (
        now.length === recorded.length && now.every((item, index) => isSame(recorded[index] as Json, item))
      )
    if (!isObject(now) || !isObject(recorded) || isArray(now) || isArray(recorded))
      return equalJson(recorded, now)
    const keys = Object.keys(now)
    return (
      keys.length === Object.keys(recorded).length &&
      keys.every(key => Object.hasOwn(recorded, key) && isSame(recorded[key] as Json, now[key] as Json))
    )
  }
  return (recorded, now) => {
    if (recorded === undefined || now === undefined) return recorded === now
    return isSame(withoutEnvelopes(recorded), withoutEnvelopes(now))
  }
}

function withoutEnvelopes(value: Json): Json {
  if (isArray(value)) return value.map(withoutEnvelopes)
  if (!isObject(value)) return value
  const fields = Object.entries(value)
  const kept =
    'Payload' in value && 'SdkHttpMetadata' in value ? fields.filter(([key]) => key === 'Payload') : fields
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutEnvelopes(item)]))
}
