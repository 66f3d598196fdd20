import type { HistoryEvent } from '@aws-sdk/client-sfn'

/** How far one state is, as far as the history tells. */
export interface StateProgress {
  readonly name: string
  /** Caught: it failed, and the machine went on elsewhere. */
  readonly status: 'running' | 'succeeded' | 'caught' | 'failed'
  /** Attempts of a task after the first. */
  readonly retries: number
  /** The run of a Distributed Map, whose items are not in this history. */
  readonly mapRunArn?: string
  /** The items of a Map. */
  readonly items?: { readonly done: number; readonly failed: number; readonly total: number }
}

/** Folds an execution's history into its states on the top level, in the order in which they were entered. */
export interface ProgressReader {
  /** Takes events in the order of the history, each once. */
  add(events: readonly HistoryEvent[]): void
  states(): StateProgress[]
}

interface Seen {
  readonly name: string
  status: StateProgress['status']
  failing: boolean
  schedules: number
  mapRunArn?: string
  items?: { done: number; failed: number; total: number }
}

export function createProgressReader(): ProgressReader {
  const states: Seen[] = []
  /** The state on the top level that an event belongs to. */
  const owners = new Map<number, Seen>()

  function enter(event: HistoryEvent, previous: Seen | undefined): Seen {
    if (previous?.status === 'running') return previous // inside a Map or a Parallel
    const name = event.stateEnteredEventDetails?.name ?? ''
    const entered: Seen = { name, status: 'running', failing: false, schedules: 0 }
    states.push(entered)
    return entered
  }

  return {
    add(events) {
      for (const event of events) {
        const previous = owners.get(event.previousEventId ?? 0)
        const owner = event.type?.endsWith('StateEntered') ? enter(event, previous) : previous
        if (owner === undefined) continue
        owners.set(event.id ?? 0, owner)
        advance(owner, event)
      }
    },
    states() {
      return states.map(({ name, status, schedules, mapRunArn, items }) => ({
        name,
        status,
        retries: items ? 0 : Math.max(0, schedules - 1),
        ...(mapRunArn !== undefined && { mapRunArn }),
        ...(items && { items: { ...items } }),
      }))
    },
  }
}

function advance(state: Seen, event: HistoryEvent): void {
  const type = event.type ?? ''
  if (type === 'MapStateStarted') {
    const total = event.mapStateStartedEventDetails?.length
    if (total) state.items = { done: 0, failed: 0, total }
  } else if (type === 'MapRunStarted') {
    const { mapRunArn } = event.mapRunStartedEventDetails ?? {}
    if (mapRunArn !== undefined) state.mapRunArn = mapRunArn
  } else if (type === 'MapIterationSucceeded' && state.items) {
    state.items.done += 1
  } else if (/^MapIteration(Failed|Aborted)$/.test(type) && state.items) {
    state.items.failed += 1
  } else if (/^(Task|LambdaFunction|Activity)Scheduled$/.test(type)) {
    state.schedules += 1
    state.failing = false
  } else if (/^Execution(Failed|TimedOut|Aborted)$/.test(type)) {
    state.status = 'failed'
  } else if (type.endsWith('StateExited')) {
    if (event.stateExitedEventDetails?.name === state.name)
      state.status = state.failing ? 'caught' : 'succeeded'
  } else if (/(Failed|TimedOut)$/.test(type)) {
    state.failing = true
  }
}
