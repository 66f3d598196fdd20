import { record, type Thread } from '../execution/thread.ts'
import { Interrupted, StateFailure } from './state-failure.ts'

/**
 * Makes a state's failure of whatever was thrown, and records a failed evaluation. An evaluation that fails before
 * the state did anything follows, on AWS, what came before the state, except in a Wait.
 */
export function settleFailure(thread: Thread, thrown: unknown): StateFailure {
  if (thrown instanceof Interrupted) throw thrown
  if (!(thrown instanceof StateFailure)) throw thrown
  const failure = thrown.in(thread.stateName, thread.enteredEventId)
  if (thrown.evaluated === undefined || !thrown.detail) return failure
  if (thread.lastEventId === thread.enteredEventId && thread.stateType !== 'Wait') {
    thread.lastEventId = thread.enteredAfterEventId
  }
  record(thread, 'EvaluationFailed', {
    error: failure.error,
    cause: failure.cause,
    ...(thrown.evaluated === '' ? {} : { location: thrown.evaluated }),
    state: thread.stateName,
  })
  return failure
}
