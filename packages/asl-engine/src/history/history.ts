import { runtimeFailure } from '../failures/state-failure.ts'
import type { Clock } from '../time/clock.ts'
import type { EventDetails, HistoryRecord } from './record.ts'

/** An execution's events in order. */
export interface History {
  readonly add: (previousEventId: number, type: string, details?: EventDetails) => number
  readonly records: () => readonly HistoryRecord[]
}

export interface HistoryOptions {
  readonly clock: Clock
  readonly maxEvents: number
  /** Without it events only pass through the sink: a child of a Distributed Map costs no memory. */
  readonly keep: boolean
  readonly onEvent: ((record: HistoryRecord) => void) | undefined
  readonly earlier?: readonly HistoryRecord[]
}

const closing = /^Execution(Failed|Succeeded|Aborted|TimedOut)$/

export function createHistory({ clock, maxEvents, keep, onEvent, earlier = [] }: HistoryOptions): History {
  const records = [...earlier]
  let lastId = earlier.at(-1)?.id ?? 0
  return {
    add: (previousEventId, type, details) => {
      if (lastId >= maxEvents - 1 && !closing.test(type)) throw tooLong(maxEvents)
      lastId += 1
      if (!keep && onEvent === undefined) return lastId
      const record: HistoryRecord = { id: lastId, previousEventId, timestampMs: clock.now(), type, details }
      if (keep) records.push(record)
      onEvent?.(record)
      return lastId
    },
    records: () => records,
  }
}

function tooLong(maxEvents: number) {
  const failure = runtimeFailure(`The execution reached the maximum number of history events (${maxEvents}).`)
  return failure.in('', 0)
}
