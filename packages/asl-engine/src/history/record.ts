import type { Json } from '../json.ts'

/** An event as the engine keeps it: values stay values until somebody reads the history. */
export interface HistoryRecord {
  /** 0 for a note: what resuming needs to know and AWS's history does not show. */
  readonly id: number
  readonly previousEventId: number
  readonly timestampMs: number
  readonly type: string
  readonly details?: EventDetails | undefined
  /** The thread that it belongs to: a branch, an iteration, a child of a Distributed Map. Absent on the main one. */
  readonly place?: string
}

export interface EventDetails {
  readonly name?: string
  readonly input?: Json
  readonly output?: Json
  readonly parameters?: Json
  readonly assigned?: Readonly<Record<string, Json>>
  /** Where a state led: for resuming, not part of AWS's history. */
  readonly next?: string | undefined
  /** What the task was to report with: for resuming, not part of AWS's history. */
  readonly taskToken?: string | undefined
  readonly error?: string | undefined
  readonly cause?: string | undefined
  readonly [other: string]: unknown
}
