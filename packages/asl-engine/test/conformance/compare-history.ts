import type { HistoryEvent } from '../../src/index.ts'
import type { Case, Comparison, RecordedEvent } from './corpus.ts'

const notRecorded = new Set(['timestamp', 'inputDetails', 'outputDetails'])

/** The recording holds what inputs and outputs mean, not their text. */
function parseTexts(key: string, value: unknown): unknown {
  return (key === 'input' || key === 'output' || key === 'parameters') && typeof value === 'string'
    ? parseText(value)
    : key === 'assignedVariables'
      ? parseVariables(value as Readonly<Record<string, unknown>>)
      : value
}

function parseVariables(variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      typeof value === 'string' ? parseText(value) : value,
    ]),
  )
}

function parseRecorded(key: string, value: unknown): unknown {
  return key === 'assignedVariables' ? parseVariables(value as Readonly<Record<string, unknown>>) : value
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Differences between the recorded events and ours. Concurrent parts were recorded without ids: there, as multisets. */
export function compareHistory(
  recorded: Case,
  history: readonly HistoryEvent[],
  { diff, applyAliases }: Comparison,
): string[] {
  const expected = JSON.parse(
    JSON.stringify(recorded.expected.events ?? []),
    parseRecorded,
  ) as RecordedEvent[]
  const actual = JSON.parse(
    applyAliases(JSON.stringify(history), recorded.aliases),
    parseTexts,
  ) as RecordedEvent[]
  const options = { ignore: notRecorded, wildcards: new Set(recorded.wildcards ?? []) }
  const isConcurrent = expected.some(event => Array.isArray(event.id))
  if (!isConcurrent) {
    if (expected.length !== actual.length) {
      const at = expected.findIndex((event, index) => event.type !== actual[index]?.type)
      return [
        `${expected.length} events recorded, ${actual.length} here; first other at ${at + 1}: ${expected[at]?.type} != ${actual[at]?.type}`,
      ]
    }
    return expected.flatMap((event, index) =>
      diff(event, actual[index], `#${index + 1} ${event.type}`, [], options),
    )
  }
  const lastId = expected.at(-1)?.id
  if (typeof lastId === 'number' && lastId !== actual.length) {
    return [`${lastId} events recorded, ${actual.length} here`]
  }
  const left = [...actual]
  return expected.flatMap(event => {
    const masked = Array.isArray(event.id)
    const ignore = masked ? new Set([...notRecorded, 'id', 'previousEventId']) : notRecorded
    const index = left.findIndex(
      other => other.type === event.type && diff(event, other, '', [], { ...options, ignore }).length === 0,
    )
    if (index < 0) return [`${event.type} ${JSON.stringify(event.id)} is missing`]
    left.splice(index, 1)
    return []
  })
}
