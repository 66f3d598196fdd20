import type { HistoryRecord } from './record.ts'

/** An event in the shape of GetExecutionHistory; `timestamp` is a Date, as the SDK's is. */
export interface HistoryEvent {
  readonly id: number
  readonly previousEventId: number
  readonly timestamp: Date
  readonly type: string
  readonly [details: `${string}EventDetails`]: Readonly<Record<string, unknown>> | undefined
}

const withoutDetails = new Set([
  'LambdaFunctionStarted',
  'ParallelStateStarted',
  'ParallelStateSucceeded',
  'ParallelStateFailed',
  'ParallelStateAborted',
  'MapStateSucceeded',
  'MapStateFailed',
  'MapStateAborted',
  'TaskStateAborted',
  'WaitStateAborted',
  'MapRunSucceeded',
  'MapRunAborted',
])

const forResuming = new Set(['next', 'taskToken'])
const jsonText = new Set(['input', 'output', 'parameters'])

function detailsKey(type: string): `${string}EventDetails` {
  if (type.endsWith('StateEntered')) return 'stateEnteredEventDetails'
  if (type.endsWith('StateExited')) return 'stateExitedEventDetails'
  return `${type[0]?.toLowerCase()}${type.slice(1)}EventDetails`
}

export function toHistoryEvent(record: HistoryRecord): HistoryEvent {
  const { id, previousEventId, timestampMs, type, details } = record
  const event = { id, previousEventId, timestamp: new Date(timestampMs), type }
  if (details === undefined || withoutDetails.has(type)) return event
  const shaped: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(details)) {
    if (value === undefined || forResuming.has(key)) continue
    if (key === 'assigned') {
      shaped['assignedVariables'] = Object.fromEntries(
        Object.entries(value as object).map(([name, assigned]) => [name, JSON.stringify(assigned)]),
      )
      shaped['assignedVariablesDetails'] = { truncated: false }
    } else if (jsonText.has(key)) {
      shaped[key] = JSON.stringify(value)
      if (key !== 'parameters') shaped[`${key}Details`] = { truncated: false }
    } else {
      shaped[key] = value
    }
  }
  return { ...event, [detailsKey(type)]: shaped }
}
