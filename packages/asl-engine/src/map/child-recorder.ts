import type { ChildListener } from '../execution/execution.ts'
import type { Thread } from '../execution/thread.ts'
import type { HistoryRecord } from '../history/record.ts'
import { notes } from '../history/recording.ts'
import type { ChildEnding } from './child-result.ts'

/** Files what a child does with the records of its parent. */
export interface ChildRecorder {
  readonly add: (record: HistoryRecord) => void
  readonly end: (ending: ChildEnding) => void
}

export function placeIn(child: string, inner = ''): string {
  return inner === '' ? child : `${child}/${inner}`
}

/** A record of a child as the child itself has it. */
export function placedInside({ place = '', ...record }: HistoryRecord, child: string): HistoryRecord {
  return place === child ? record : { ...record, place: place.slice(child.length + 1) }
}

/** What a type of event says about whether a child has come to something. */
interface Traits {
  /** Something has been done that must not be done again. */
  readonly isOutcome: boolean
  /** Something begins that takes time. */
  readonly isWait: boolean
}

const traits = new Map<string, Traits>()

/** Found out once for each type: a million children have the same few. */
function traitsOf(type: string): Traits {
  const known = traits.get(type)
  if (known !== undefined) return known
  const found = {
    isOutcome: /(Succeeded|Failed|TimedOut|^WaitStateEntered)$/.test(type),
    isWait: /(Scheduled|Submitted|^WaitStateEntered|^AttemptFailed)$/.test(type),
  }
  traits.set(type, found)
  return found
}

/**
 * A child's events are held back until it begins something that takes time after something has been done, so that one
 * that makes a single call leaves a single record: its end. `undefined` if nobody hears of any of it.
 */
export function createChildRecorder(
  { execution }: Thread,
  place: string,
  listener: ChildListener | undefined,
): ChildRecorder | undefined {
  const { onRecord } = execution.history
  if (onRecord === undefined)
    return listener === undefined ? undefined : { add: listener.onEvent, end: () => undefined }
  const held: HistoryRecord[] = []
  let isWorthKeeping = false
  return {
    add: record => {
      listener?.onEvent(record)
      held.push(record)
      const { isOutcome, isWait } = traitsOf(record.type)
      isWorthKeeping ||= isOutcome || record.details?.taskToken !== undefined
      if (!isWorthKeeping || !isWait) return
      for (const one of held.splice(0)) onRecord({ ...one, place: placeIn(place, one.place) })
    },
    end: ending =>
      onRecord({
        id: 0,
        previousEventId: 0,
        timestampMs: ending.stopMs,
        type: notes.childEnded,
        details: { ...ending },
        place,
      }),
  }
}
