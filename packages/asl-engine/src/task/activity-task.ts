import { exceedsBytes, type Json } from '../json.ts'
import { dataLimitFailure, runtimeFailure, StateFailure } from '../state-failure.ts'
import { record, type Thread } from '../thread.ts'
import { awaitToken, type Deadlines } from './call.ts'
import { inSeconds } from './deadlines.ts'

/** A Task that waits for an activity worker. */
export const runActivityTask = async (
  thread: Thread,
  activityArn: string,
  input: Json,
  deadlines: Deadlines,
): Promise<Json> => {
  const { activities, chance, limits } = thread.execution.engine
  if (!activities.exists(activityArn)) throw runtimeFailure(`The activity ${activityArn} does not exist.`)
  record(thread, 'ActivityScheduled', { resource: activityArn, input, ...inSeconds(deadlines) })
  const taskToken = thread.taskToken ?? chance.uuid()
  const waiting = awaitToken(thread, taskToken, deadlines, workerName =>
    record(thread, 'ActivityStarted', { workerName }),
  )
  activities.schedule({ activityArn, taskToken, input: JSON.stringify(input) })
  try {
    const output = await waiting.result
    if (exceedsBytes(output, limits.payloadBytes)) throw dataLimitFailure(activityArn)
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
