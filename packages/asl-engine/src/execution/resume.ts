import type { StateMachine } from '@stepwright/asl'
import type { Variables } from '../expressions/scope.ts'
import type { HistoryRecord } from '../history/record.ts'
import type { Json } from '../json.ts'

export interface ResumePoint {
  /** `undefined` if the last state had already ended the machine. */
  readonly state: string | undefined
  readonly input: Json
  readonly variables: Variables
  readonly lastEventId: number
}

/**
 * Where an execution goes on: the last top-level state that was entered and not left is entered anew, with the same
 * input; after one that was left, its successor. Closing events of an earlier attempt are passed over.
 */
export function findResumePoint(
  definition: StateMachine,
  records: readonly HistoryRecord[],
  input: Json,
): ResumePoint {
  let point: ResumePoint = { state: definition.StartAt, input, variables: {}, lastEventId: 0 }
  for (const { id, type, details } of records) {
    const name = details?.name
    if (name === undefined || !Object.hasOwn(definition.States, name)) continue
    if (type.endsWith('StateEntered')) {
      point = { ...point, state: name, input: details?.input ?? null, lastEventId: id }
    } else if (type.endsWith('StateExited')) {
      point = {
        state: details?.next,
        input: details?.output ?? null,
        variables: { ...point.variables, ...details?.assigned },
        lastEventId: id,
      }
    }
  }
  return { ...point, lastEventId: records.at(-1)?.id ?? point.lastEventId }
}
