import { StateFailure } from '../failures/state-failure.ts'
import type { Clock } from '../time/clock.ts'
import { type EventKind, typeOf } from './event-kind.ts'
import { EventLog, toRecord } from './event-log.ts'
import type { EventDetails, HistoryRecord } from './record.ts'

/** Who has done what is recorded. */
export interface Placed {
  readonly place: string
}

export interface AddEvent {
  (by: Placed, previousEventId: number, type: string, details?: EventDetails, timestampMs?: number): number
  <Data>(by: Placed, previousEventId: number, kind: EventKind<Data>, data: Data, timestampMs?: number): number
}

/** An execution's events in order. */
export interface History {
  /** Records an event, as of now unless a time is given, and returns its number. */
  readonly add: AddEvent
  /** Tells `onEvent` what resuming needs to know and AWS's history does not show. */
  readonly note: (place: string, type: string, details: EventDetails) => void
  /** Whether events are kept or told to anybody. */
  readonly isHeard: boolean
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
  return new ExecutionHistory(options)
}

/** A class, because an execution's first events would otherwise pay for making its functions ready. */
class ExecutionHistory implements History {
  readonly onRecord: ((record: HistoryRecord) => void) | undefined
  readonly #clock: Clock
  readonly #maxEvents: number
  readonly #log: EventLog | undefined
  readonly #onEvent: ((record: HistoryRecord) => void) | undefined
  readonly isHeard: boolean
  #lastId: number
  #muted = false

  constructor({ clock, maxEvents, keep, onEvent, earlier = [], lastId = lastIdOf(earlier) }: HistoryOptions) {
    this.#clock = clock
    this.#maxEvents = maxEvents
    this.#lastId = lastId
    this.#log = keep ? new EventLog(earlier.filter(isHistoryEvent), lastId) : undefined
    this.#onEvent = onEvent
    this.isHeard = keep || onEvent !== undefined
    this.onRecord = onEvent === undefined ? undefined : record => this.#tell(record)
  }

  add<Data>(
    by: Placed,
    previousEventId: number,
    kind: string | EventKind<Data>,
    data?: Data,
    timestampMs?: number,
  ): number {
    if (this.#lastId >= this.#maxEvents - 1 && !this.#hasRoom(typeOf(kind))) return this.#lastId
    this.#lastId += 1
    if (this.isHeard && !this.#muted) {
      const { place } = by
      const timeMs = timestampMs ?? this.#clock.now()
      this.#log?.add(place, previousEventId, timeMs, kind, data as Data)
      this.#onEvent?.(toRecord(this.#lastId, place, previousEventId, timeMs, kind, data as Data))
    }
    return this.#lastId
  }

  note(place: string, type: string, details: EventDetails): void {
    if (this.#onEvent === undefined) return
    this.#tell({
      id: 0,
      previousEventId: 0,
      timestampMs: this.#clock.now(),
      type,
      details,
      ...(place === '' ? {} : { place }),
    })
  }

  records(): readonly HistoryRecord[] {
    return this.#log?.records() ?? []
  }

  mute(): void {
    this.#muted = true
  }

  /** Whether a full history takes the event: what the limit ends leaves no more room to say so. */
  #hasRoom(type: string): boolean {
    if (closing.test(type)) return true
    if (endsSomething.test(type)) return false
    throw tooLong(this.#maxEvents)
  }

  #tell(record: HistoryRecord): void {
    if (!this.#muted) this.#onEvent?.(record)
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
