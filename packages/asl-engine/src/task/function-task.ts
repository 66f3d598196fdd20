import { record, type Thread } from '../execution/thread.ts'
import { type Json, throughJson } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { callOut, functionFailure, type Terms } from './call.ts'
import { callEvents, settleCall } from './settle-call.ts'
import { shownTerms } from './terms.ts'

const events = callEvents('LambdaFunction')

/** A Task whose Resource is a function's ARN: the result is the payload itself. */
export function runFunctionTask(thread: Thread, arn: string, input: Json, terms: Terms): MaybePromise<Json> {
  const { engine } = thread.execution
  const before = thread.replay?.peek(events.scheduled)
  const payload = before === undefined ? input : (before.details?.input ?? null)
  record(thread, events.scheduled, { resource: arn, input: payload, ...shownTerms(terms) })
  record(thread, 'LambdaFunctionStarted')
  return settleCall(thread, {
    events,
    subject: arn,
    call: () => callOut(thread, terms, context => engine.invoke(arn, throughJson(payload), context)),
    toFailure: functionFailure,
  })
}
