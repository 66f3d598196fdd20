import { record, type Thread } from '../execution/thread.ts'
import { runtimeFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { awaitToken, type Terms } from './call.ts'
import { callEvents, settleCall } from './settle-call.ts'
import { shownTerms } from './terms.ts'

const events = callEvents('Activity')

/** A Task that waits for an activity worker. */
export function runActivityTask(
  thread: Thread,
  activityArn: string,
  input: Json,
  terms: Terms,
): MaybePromise<Json> {
  const { activities } = thread.execution.engine
  if (!activities.exists(activityArn)) throw runtimeFailure(`The activity ${activityArn} does not exist.`)
  const before = thread.replay?.peek(events.scheduled)
  const given = before === undefined ? input : (before.details?.input ?? null)
  const { taskToken = '' } = thread
  record(thread, events.scheduled, { resource: activityArn, input: given, taskToken, ...shownTerms(terms) })
  return settleCall(thread, {
    events,
    subject: activityArn,
    call: () => {
      const isWithWorker = thread.replay?.peek('ActivityStarted') !== undefined
      if (isWithWorker) record(thread, 'ActivityStarted')
      const waiting = awaitToken(thread, taskToken, terms, {
        scheduledMs: before?.timestampMs,
        beatsFrom: isWithWorker ? 'now' : 'start',
        onStart: workerName => record(thread, 'ActivityStarted', { workerName }),
      })
      if (!isWithWorker) activities.schedule({ activityArn, taskToken, input: JSON.stringify(given) })
      return waiting.result
    },
    toFailure: failure => failure,
  })
}
