import type { Thread } from '../execution/thread.ts'
import { dataLimitFailure } from '../failures/state-failure.ts'
import { exceedsBytes, type Json } from '../json.ts'

/** What goes into a state or a task, or comes out of one, may not be larger than a payload. */
export function checkPayload(thread: Thread, value: Json, stateName: string = thread.stateName): Json {
  if (exceedsBytes(value, thread.execution.engine.limits.payloadBytes)) throw dataLimitFailure(stateName)
  return value
}
