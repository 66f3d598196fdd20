import { record, type Thread } from '../execution/thread.ts'
import { dataLimitFailure, runtimeFailure, StateFailure } from '../failures/state-failure.ts'
import { exceedsBytes, type Json } from '../json.ts'
import { awaitToken, type Terms } from './call.ts'
import { shownTerms } from './terms.ts'

/** A Task that waits for an activity worker. */
export async function runActivityTask(
  thread: Thread,
  activityArn: string,
  input: Json,
  terms: Terms,
): Promise<Json> {
  const { activities, chance, limits } = thread.execution.engine
  if (!activities.exists(activityArn)) throw runtimeFailure(`The activity ${activityArn} does not exist.`)
  record(thread, 'ActivityScheduled', { resource: activityArn, input, ...shownTerms(terms) })
  const taskToken = thread.taskToken ?? chance.uuid()
  const waiting = awaitToken(thread, taskToken, terms, workerName =>
    record(thread, 'ActivityStarted', { workerName }),
  )
  activities.schedule({ activityArn, taskToken, input: JSON.stringify(input) })
  try {
    const output = await waiting.result
    if (exceedsBytes(output, limits.payloadBytes)) throw dataLimitFailure(activityArn, { ofTask: true })
    record(thread, 'ActivitySucceeded', { output })
    return output
  } catch (failure) {
    if (failure instanceof StateFailure) {
      const { error, cause } = failure
      record(thread, error === 'States.Timeout' ? 'ActivityTimedOut' : 'ActivityFailed', { error, cause })
    }
    throw failure
  }
}
