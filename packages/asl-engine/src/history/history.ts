import { StateFailure } from '../failures/state-failure.ts'
import type { Clock } from '../time/clock.ts'
import type { EventDetails, HistoryRecord } from './record.ts'

/** An execution's events in order. */
export interface History {
  readonly add: (place: string, previousEventId: number, type: string, details?: EventDetails) => number
  /** Tells `onEvent` what resuming needs to know and AWS's history does not show. */
  readonly note: (place: string, type: string, details: EventDetails) => void
  /** Takes a record as it is; `undefined` if nobody listens. */
  readonly onRecord: ((record: HistoryRecord) => void) | undefined
  readonly records: () => readonly HistoryRecord[]
  /** From now on nothing is recorded. */
  readonly mute: () => void
}

export interface HistoryOptions {
  readonly clock: Clock
  readonly maxEvents: number
  /** Without it events only pass through the sink: a child of a Distributed Map costs no memory. */
  readonly keep: boolean
  readonly onEvent: ((record: HistoryRecord) => void) | undefined
  readonly earlier?: readonly HistoryRecord[]
  /** What the events are counted from. @default the last of `earlier` */
  readonly lastId?: number
}

const closing = /^Execution(Failed|Succeeded|Aborted|TimedOut)$/
const endsSomething = /(Aborted|Failed)$/

export function createHistory(options: HistoryOptions): History {
  const { clock, maxEvents, keep, onEvent, earlier = [] } = options
  const records = keep ? earlier.filter(isHistoryEvent) : []
  let lastId = options.lastId ?? lastIdOf(earlier)
  let muted = false
  const tell = (record: HistoryRecord): void => {
    if (!muted) onEvent?.(record)
  }
  return {
    add: (place, previousEventId, type, details) => {
      if (lastId >= maxEvents - 1 && !closing.test(type)) {
        // What the limit ends leaves no more room to say so.
        if (endsSomething.test(type)) return lastId
        throw tooLong(maxEvents)
      }
      lastId += 1
      if (!keep && onEvent === undefined) return lastId
      const timestampMs = clock.now()
      const record: HistoryRecord =
        place === ''
          ? { id: lastId, previousEventId, timestampMs, type, details }
          : { id: lastId, previousEventId, timestampMs, type, details, place }
      if (keep && !muted) records.push(record)
      tell(record)
      return lastId
    },
    note: (place, type, details) => {
      if (onEvent === undefined) return
      tell({
        id: 0,
        previousEventId: 0,
        timestampMs: clock.now(),
        type,
        details,
        ...(place === '' ? {} : { place }),
      })
    },
    onRecord: onEvent === undefined ? undefined : tell,
    records: () => records,
    mute: () => {
      muted = true
    },
  }
}

/** Whether AWS's history of the execution shows the record: notes, and what its Map runs' children did, are for resuming. */
export function isHistoryEvent({ id, place }: HistoryRecord): boolean {
  return id > 0 && !place?.includes(':')
}

function lastIdOf(records: readonly HistoryRecord[]): number {
  let last = 0
  for (const record of records) if (record.id > last && isHistoryEvent(record)) last = record.id
  return last
}

function tooLong(maxEvents: number): StateFailure {
  return new StateFailure(
    'States.Runtime',
    `The execution reached the maximum number of history events (${maxEvents}).`,
    { terminal: true },
  )
}
