import { record, type Thread } from '../execution/thread.ts'
import { dataLimitFailure, StateFailure } from '../failures/state-failure.ts'
import type { EventDetails } from '../history/record.ts'
import { exceedsBytes, type Json } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'

/** The events by which history tells how a call ended. */
export interface CallEvents {
  readonly scheduled: string
  readonly succeeded: string
  readonly failed: string
  readonly timedOut: string
}

export function callEvents(kind: string): CallEvents {
  return {
    scheduled: `${kind}Scheduled`,
    succeeded: `${kind}Succeeded`,
    failed: `${kind}Failed`,
    timedOut: `${kind}TimedOut`,
  }
}

export interface SettledCall {
  readonly events: CallEvents
  /** Details of the ending event besides the result. */
  readonly details?: EventDetails
  /** What is to blame for an answer that is too large. */
  readonly subject: string
  readonly call: () => MaybePromise<Json>
  /** Names what was thrown as Step Functions does. */
  readonly toFailure: (thrown: unknown) => unknown
}

/** Makes a call and records how it ended; a call whose end is on record is not made again. */
export function settleCall(thread: Thread, settled: SettledCall): MaybePromise<Json> {
  const { events, details, subject, call, toFailure } = settled
  const { payloadBytes } = thread.execution.engine.limits
  const finish = (output: Json): Json => {
    if (exceedsBytes(output, payloadBytes)) return fail(dataLimitFailure(subject, { ofTask: true }))
    record(thread, events.succeeded, details === undefined ? { output } : { ...details, output })
    return output
  }
  const fail = (thrown: unknown): never => {
    const failure = toFailure(thrown)
    if (failure instanceof StateFailure && !failure.terminal) {
      const { error, cause } = failure
      record(thread, error === 'States.Timeout' ? events.timedOut : events.failed, {
        ...details,
        error,
        cause,
      })
    }
    throw failure
  }
  let answer: MaybePromise<Json>
  try {
    answer = thread.replay === undefined ? call() : recordedAnswer(thread, events, call)
  } catch (error) {
    return fail(error)
  }
  return isPromise(answer) ? answer.then(finish, fail) : finish(answer)
}

function recordedAnswer(
  thread: Thread,
  { succeeded, failed, timedOut }: CallEvents,
  call: () => MaybePromise<Json>,
): MaybePromise<Json> {
  const ending = thread.replay?.skipTo([succeeded, failed, timedOut])
  if (ending === undefined) return call()
  if (ending.type === succeeded) return ending.details?.output ?? null
  throw new StateFailure(ending.details?.error, ending.details?.cause)
}
