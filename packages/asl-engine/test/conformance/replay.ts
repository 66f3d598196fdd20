import type { Json } from '@stepwright/asl'
import { compareReplay, createComparison } from '../../src/testing/compare-replay.ts'
import { replayHistory } from '../../src/testing/index.ts'
import type { Case, Comparison, RecordedEvent } from './corpus.ts'
import { account, nameLike, roleOf } from './run-execution.ts'

const texts = new Set(['input', 'output', 'parameters', 'cause'])

/** The recording holds what texts mean: here they are texts again, as GetExecutionHistory prints them. */
function toPrinted(event: RecordedEvent): object {
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [
      key,
      key.endsWith('EventDetails') ? printDetails(value as Readonly<Record<string, Json>>) : value,
    ]),
  )
}

function printDetails(details: Readonly<Record<string, Json>>): object {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key,
      texts.has(key) && !(key === 'cause' && typeof value === 'string') ? JSON.stringify(value) : value,
    ]),
  )
}

/** How a replay from the history alone differs from it. */
export async function judgeReplay(
  recording: Case,
  { diff, applyAliases }: Comparison,
): Promise<readonly string[]> {
  const { definition, expected, aliases, wildcards = [] } = recording
  const events = expected.events ?? []
  const engine = { name: nameLike(recording, /^<ArnPart_/, 'statemachine'), account }
  const history = events.map(toPrinted)
  // Its events mask times in the input, which a Wait has to read.
  const started = { input: JSON.stringify(recording.input), roleArn: roleOf(recording) }
  const [first, ...others] = history
  const { recorded, run } = await replayHistory(
    definition,
    [{ ...first, executionStartedEventDetails: started }, ...others],
    { engine },
  )
  const isSameForUsers = createComparison(definition)
  const differences = compareReplay(definition, recorded, run, (before, now) => {
    if (isSameForUsers(before, now)) return true
    const renamed = now === undefined ? undefined : JSON.parse(applyAliases(JSON.stringify(now), aliases))
    return diff(before, renamed, '$', [], { wildcards: new Set(wildcards) }).length === 0
  })
  const limit = limitOf(recording)
  return limit === undefined ? differences : differences.map(text => `${text} (${limit})`)
}

/** What the recording leaves out that a history of GetExecutionHistory would hold. */
function limitOf({ expected }: Case): string | undefined {
  if (expected.events?.some(({ id, type }) => Array.isArray(id) && /Failed$/.test(type)))
    return 'its concurrent events were recorded without ids'
  if (/The activity \S+ does not exist/.test(JSON.stringify(expected.events)))
    return 'its activity had been deleted'
  return undefined
}
