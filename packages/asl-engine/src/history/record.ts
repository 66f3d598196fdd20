import type { Json } from '../json.ts'

/** An event as the engine keeps it: values stay values until somebody reads the history. */
export interface HistoryRecord {
  readonly id: number
  readonly previousEventId: number
  readonly timestampMs: number
  readonly type: string
  readonly details?: EventDetails | undefined
}

export interface EventDetails {
  readonly name?: string
  readonly input?: Json
  readonly output?: Json
  readonly parameters?: Json
  readonly assigned?: Readonly<Record<string, Json>>
  /** Where a state led: for resuming, not part of AWS's history. */
  readonly next?: string | undefined
  readonly error?: string | undefined
  readonly cause?: string | undefined
  readonly [other: string]: unknown
}
