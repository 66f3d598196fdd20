import type { Json } from '../json.ts'
import type { HistoryRecord } from './record.ts'

/** What is noted besides the events of AWS's history. */
export const notes = {
  /** An attempt of a state failed: `error`, `cause`, `alias`, `terminal`; `delayMs` if it is to be retried. */
  attemptFailed: 'AttemptFailed',
  /** A child of a Distributed Map ended: `output`, or `error` and `cause`. */
  childEnded: 'ChildEnded',
} as const

/** What an interrupted execution had done, thread by thread. */
export interface Recording {
  readonly replay: (place: string) => Replay | undefined
  /** The last event that the execution, or one of its children, had counted; 0 if there was none. */
  readonly lastEventId: (child: string) => number
  /** What a child of a Distributed Map had recorded since it was started or redriven, up to its end. */
  readonly recordsOf: (child: string) => readonly HistoryRecord[]
}

/** Where a thread stands after the states that it had left. */
export interface Standing {
  readonly variables: Readonly<Record<string, Json>>
  readonly lastEventId: number
  /** `undefined` if the machine had ended. */
  readonly next: string | undefined
  readonly output: Json
}

/**
 * One thread's events, taken one by one as the thread does again what it did before: what it takes, it need not do.
 * An event that is not the expected one ends the replay, and the thread goes on by itself.
 */
export interface Replay {
  /** The thread goes on after a redrive, which began with a failure here. */
  readonly redriven: boolean
  readonly take: (type: string) => HistoryRecord | undefined
  readonly peek: (type: string) => HistoryRecord | undefined
  /** The next event of one of these types; those before it are passed over. It stays to be taken. */
  readonly skipTo: (types: readonly string[]) => HistoryRecord | undefined
  /** The next failed attempt of the state that the thread is in; takes it and what led to it. */
  readonly takeFailedAttempt: () => { readonly note: HistoryRecord; readonly lastEventId: number } | undefined
  /** Passes over every state that was left. */
  readonly skipFinishedStates: () => Standing | undefined
}

/** Reads the records of an execution, with the redrives among them. */
export function createRecording(records: readonly HistoryRecord[]): Recording {
  const threads = new Map<string, HistoryRecord[]>()
  const redriven = new Set<string>()
  const lastIds = new Map<string, number>()
  const children = new Map<string, HistoryRecord[]>()
  for (const record of records) {
    const { type, id, place = '' } = record
    const child = childOf(place)
    if (id > (lastIds.get(child) ?? 0)) lastIds.set(child, id)
    if (child !== '' && type !== notes.childEnded) listOf(children, child).push(record)
    if (type === 'ExecutionRedriven') {
      children.clear()
      for (const [at, events] of threads) if (rewind(events)) redriven.add(at)
    } else if (!type.startsWith('Execution')) {
      listOf(threads, place).push(record)
    }
  }
  return {
    replay: place => {
      const events = threads.get(place)
      return events === undefined ? undefined : createReplay(events, redriven.has(place))
    },
    lastEventId: child => lastIds.get(child) ?? 0,
    recordsOf: child => children.get(child) ?? [],
  }
}

function listOf(lists: Map<string, HistoryRecord[]>, key: string): HistoryRecord[] {
  const list = lists.get(key) ?? []
  if (list.length === 0) lists.set(key, list)
  return list
}

/** Which child counts the events of a place: `9:2` those of `9:2/4.0`, the execution itself those of `4.0`. */
function childOf(place: string): string {
  const end = place.lastIndexOf('/')
  return place.includes('.', end + 1) ? place.slice(0, Math.max(0, end)) : place
}

function isEntered({ type }: HistoryRecord): boolean {
  return type.endsWith('StateEntered')
}

function isExited({ type }: HistoryRecord): boolean {
  return type.endsWith('StateExited')
}

const startsThreads = new Set(['ParallelStateStarted', 'MapStateStarted'])
const tooMuchData = 'States.DataLimitExceeded'

/**
 * Takes a thread's failure back, as a redrive does: the state that failed is as if it had just been entered; of a
 * Parallel or Map stays what its last attempt started, unless its results were too large. Whether anything failed.
 */
function rewind(events: HistoryRecord[]): boolean {
  const last = events.at(-1)
  if (last?.type === notes.childEnded && last.details?.output !== undefined) return false
  const entered = events.findLastIndex(isEntered)
  const exited = events.findLastIndex(isExited)
  if (exited > entered) {
    const isOver = events[exited + 1]?.type === 'MapIterationSucceeded'
    events.splice(exited + (isOver ? 2 : 1))
    return false
  }
  const tail = events.splice(entered + 1)
  if (entered < 0) {
    events.push(...tail.filter(({ type }) => type === 'MapIterationStarted'))
    return true
  }
  const started = tail.findLastIndex(({ type }) => startsThreads.has(type))
  if (started < 0 || tail.some(({ details }) => details?.error === tooMuchData)) return true
  events.push(tail[started] as HistoryRecord)
  const run = tail.slice(started).find(({ type }) => type === 'MapRunStarted')
  if (run !== undefined) events.push(run)
  return true
}

function createReplay(events: readonly HistoryRecord[], redriven: boolean): Replay {
  let at = 0
  const peek = (type: string): HistoryRecord | undefined => {
    const record = events[at]
    return record?.type === type ? record : undefined
  }
  const highestId = (from: number, to: number): number => {
    let id = 0
    for (let index = from; index < to; index += 1) id = Math.max(id, (events[index] as HistoryRecord).id)
    return id
  }
  return {
    redriven,
    peek,
    take: type => {
      const record = peek(type)
      at = record === undefined ? events.length : at + 1
      return record
    },
    skipTo: types => {
      const index = events.findIndex((record, position) => position >= at && types.includes(record.type))
      if (index < 0) return undefined
      at = index
      return events[index]
    },
    takeFailedAttempt: () => {
      const index = events.findIndex(
        (record, position) => position >= at && (record.type === notes.attemptFailed || isEntered(record)),
      )
      const note = events[index]
      if (note?.type !== notes.attemptFailed) return undefined
      const lastEventId = highestId(at, index)
      at = index + 1
      return { note, lastEventId }
    },
    skipFinishedStates: () => {
      const last = events.findLastIndex(isExited)
      if (last < at) return undefined
      let variables: Readonly<Record<string, Json>> = {}
      for (const { details } of events.slice(at, last + 1)) {
        if (details?.assigned !== undefined) variables = { ...variables, ...details.assigned }
      }
      const { id, details } = events[last] as HistoryRecord
      at = last + 1
      return { variables, lastEventId: id, next: details?.next, output: details?.output ?? null }
    },
  }
}
