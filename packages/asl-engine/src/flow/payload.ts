import { maxVariablesBytes } from '@stepwright/asl/facts'
import type { Thread } from '../execution/thread.ts'
import type { Variables } from '../expressions/scope.ts'
import { dataLimitFailure, StateFailure } from '../failures/state-failure.ts'
import { atMostBytes, exceedsBytes, type Json } from '../json.ts'

/** What goes into a state or a task, or comes out of one, may not be larger than a payload. */
export function checkPayload(thread: Thread, value: Json, stateName: string = thread.stateName): Json {
  if (exceedsBytes(value, thread.execution.engine.limits.payloadBytes)) throw dataLimitFailure(stateName)
  return value
}

/** What one Assign sets may not be larger than a payload, and all variables together not larger than 10 MiB. */
export function checkAssigned(thread: Thread, assigned: Variables): Variables {
  const { payloadBytes } = thread.execution.engine.limits
  if (exceedsBytes(assigned, payloadBytes)) throw variablesFailure(thread.stateName, payloadBytes)
  thread.variablesBytes ??= atMostBytes(thread.variables, maxVariablesBytes)
  thread.variablesBytes += atMostBytes(assigned, payloadBytes)
  if (thread.variablesBytes <= maxVariablesBytes) return assigned
  const all = { ...thread.variables, ...assigned }
  if (exceedsBytes(all, maxVariablesBytes)) throw variablesFailure(thread.stateName, maxVariablesBytes)
  thread.variablesBytes = Buffer.byteLength(JSON.stringify(all))
  return assigned
}

function variablesFailure(stateName: string, bytes: number): StateFailure {
  return new StateFailure(
    'States.DataLimitExceeded',
    `The state '${stateName}' assigns variables with a size exceeding the maximum of ${bytes} bytes.`,
  )
}
