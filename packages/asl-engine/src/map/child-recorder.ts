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

const outcome = /(Succeeded|Failed|TimedOut)$/
const takesTime = /(Scheduled|Submitted|^WaitStateEntered|^AttemptFailed)$/

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
      held.push({ ...record, place: placeIn(place, record.place) })
      isWorthKeeping ||= outcome.test(record.type) || 'taskToken' in (record.details ?? {})
      if (record.type === 'WaitStateEntered') isWorthKeeping = true
      if (isWorthKeeping && takesTime.test(record.type)) for (const one of held.splice(0)) onRecord(one)
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
