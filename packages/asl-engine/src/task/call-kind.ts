import type { EventKind } from '../history/event-kind.ts'
import type { EventDetails } from '../history/record.ts'
import type { Json } from '../json.ts'

/** What a Task calls: the events by which history tells of it, and how its failures are named. */
export interface CallKind {
  readonly scheduled: string
  readonly succeeded: EventKind<Json>
  readonly failed: string
  readonly timedOut: string
  /** What is to blame for an answer that is too large. */
  readonly subject: string
  /** Details of the ending event besides the result. */
  readonly details: EventDetails | undefined
  readonly toFailure: (thrown: unknown) => unknown
  /** Never used: while they live, so does the code that V8 has optimised for data of their shapes. */
  lastArgument: Json
  lastOutput: Json
}

export function callKind(
  name: string,
  subject: string,
  toFailure: (thrown: unknown) => unknown,
  details?: EventDetails,
): CallKind {
  return {
    scheduled: `${name}Scheduled`,
    succeeded: {
      type: `${name}Succeeded`,
      detailsOf: output => (details === undefined ? { output } : { ...details, output }),
    },
    failed: `${name}Failed`,
    timedOut: `${name}TimedOut`,
    subject,
    details,
    toFailure,
    lastArgument: null,
    lastOutput: null,
  }
}
