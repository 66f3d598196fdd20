/** An event of GetExecutionHistory, as the SDK or its JSON gives it, with its details under their own key. */
export interface GraphEvent {
  readonly id?: number | undefined
  readonly previousEventId?: number | undefined
  /** A Date, or milliseconds since 1970, or a text that `Date` reads. */
  readonly timestamp?: Date | number | string | undefined
  readonly type?: string | undefined
}

export type VisitStatus = 'running' | 'succeeded' | 'caught' | 'failed' | 'cancelled'

/** One call of a task, or one try of what is inside a Map or a Parallel. */
export interface Attempt {
  readonly firstEventId: number
  readonly scheduledMs: number
  startedMs: number | undefined
  endMs: number | undefined
  status: 'running' | 'succeeded' | 'failed' | 'cancelled'
  error: string | undefined
  cause: string | undefined
}

/** One time that an execution was in a state. */
export interface Visit {
  readonly name: string
  readonly type: string
  readonly enterId: number
  exitId: number | undefined
  readonly enterMs: number
  exitMs: number | undefined
  status: VisitStatus
  readonly attempts: Attempt[]
  /** The state that led to it. */
  readonly after: Visit | undefined
  /** The Map or Parallel around it. */
  readonly parent: Visit | undefined
  /** Which iteration of `parent`, if that is a Map. */
  readonly iteration: number | undefined
  /** The last of its own events that says of an error. */
  error: string | undefined
  cause: string | undefined
  /** Of a Map, as far as the history tells. */
  items: MapItems | undefined
  /** The run of a Distributed Map, whose items are not in this history. */
  mapRunArn: string | undefined
  /** All events that belong to it, except those of states inside. */
  readonly eventIds: number[]
}

export interface MapItems {
  total: number
  started: number
  succeeded: number
  failed: number
}

/** Folds a history into visits, event by event, so that a live one costs only what is new. */
export interface VisitReader {
  /** Takes events in the order of the history, each once. */
  add(events: readonly GraphEvent[]): void
  /** In the order in which states were entered. */
  readonly visits: readonly Visit[]
  /** The visit that an event belongs to. */
  visitOf(eventId: number): Visit | undefined
}

/** Where an event left the thread that it belongs to. */
interface Spot {
  readonly visit: Visit | undefined
  readonly iteration: number | undefined
}

const nowhere: Spot = { visit: undefined, iteration: undefined }

export function createVisitReader(): VisitReader {
  const visits: Visit[] = []
  const spots = new Map<number, Spot>()
  const owners = new Map<number, Visit>()

  function take(event: GraphEvent): void {
    const { id = 0, previousEventId = 0, type = '' } = event
    const atMs = toMs(event.timestamp)
    const before = spots.get(previousEventId) ?? nowhere
    let spot = before
    let owner: Visit | undefined
    if (type.endsWith('StateEntered')) {
      owner = enter(event, before, atMs)
      visits.push(owner)
      spot = { visit: owner, iteration: undefined }
    } else if (type.endsWith('StateExited')) {
      owner = climb(before.visit, visit => visit.name === nameIn(event))
      if (owner) spot = exit(owner, id, atMs)
    } else if (type.startsWith('MapIteration')) {
      owner = climb(before.visit, visit => visit.name === nameIn(event))
      if (owner) spot = iterate(owner, event, atMs)
    } else if (/^(Map|Parallel)(State|Run)/.test(type)) {
      const kind = type.startsWith('Map') ? 'Map' : 'Parallel'
      owner = climb(before.visit, visit => visit.type === kind)
      if (owner) {
        advanceContainer(owner, event, atMs)
        spot = { visit: owner, iteration: undefined }
      }
    } else if (type.startsWith('Execution')) {
      endExecution(type, before, event, atMs)
    } else {
      owner = before.visit
      if (owner) advanceTask(owner, event, atMs)
    }
    spots.set(id, spot)
    if (owner === undefined) return
    owner.eventIds.push(id)
    owners.set(id, owner)
  }

  function enter(event: GraphEvent, { visit, iteration }: Spot, enterMs: number): Visit {
    return {
      name: nameIn(event),
      type: (event.type ?? '').replace('StateEntered', ''),
      enterId: event.id ?? 0,
      exitId: undefined,
      enterMs,
      exitMs: undefined,
      status: 'running',
      attempts: [],
      after: lastOf(event.previousEventId ?? 0, visit),
      parent: visit,
      iteration,
      error: undefined,
      cause: undefined,
      items: undefined,
      mapRunArn: undefined,
      eventIds: [],
    }
  }

  function lastOf(previousEventId: number, container: Visit | undefined): Visit | undefined {
    const owner = owners.get(previousEventId)
    return owner === container ? undefined : owner
  }

  function iterate(map: Visit, event: GraphEvent, atMs: number): Spot {
    const { index } = detailsOf(event) as { index?: number }
    map.items ??= { total: 0, started: 0, succeeded: 0, failed: 0 }
    if (event.type === 'MapIterationStarted') {
      map.items.started += 1
      return { visit: map, iteration: index }
    }
    if (event.type === 'MapIterationSucceeded') map.items.succeeded += 1
    else {
      map.items.failed += 1
      closeInside(map, index, atMs)
    }
    return { visit: map, iteration: undefined }
  }

  function advanceContainer(visit: Visit, event: GraphEvent, atMs: number): void {
    const { type = '' } = event
    const details = detailsOf(event)
    if (type.endsWith('StateStarted')) {
      reopen(visit)
      visit.attempts.push(newAttempt(event.id ?? 0, atMs, atMs))
      const { length } = details as { length?: number }
      if (visit.type === 'Map') visit.items = { total: length ?? 0, started: 0, succeeded: 0, failed: 0 }
    } else if (type === 'MapRunStarted') {
      visit.mapRunArn = String(details['mapRunArn'] ?? '')
    } else if (/(Failed|Aborted|TimedOut)$/.test(type)) {
      closeInside(visit, undefined, atMs)
      endAttempt(visit, type.endsWith('Aborted') ? 'cancelled' : 'failed', atMs, details)
      if (type.endsWith('Aborted')) visit.status = 'cancelled'
    } else if (type.endsWith('Succeeded')) endAttempt(visit, 'succeeded', atMs, details)
  }

  /** What was going on inside when it failed: what had failed itself is the reason, the rest was cancelled. */
  function closeInside(container: Visit, iteration: number | undefined, atMs: number): void {
    for (let index = visits.length - 1; index >= 0; index -= 1) {
      const visit = visits[index] as Visit
      if (visit.enterId <= container.enterId) break
      if (visit.status !== 'running' || !isInside(visit, container, iteration)) continue
      close(visit, atMs)
    }
  }

  function endExecution(type: string, { visit }: Spot, event: GraphEvent, atMs: number): void {
    if (!/(Failed|Aborted|TimedOut|Succeeded)$/.test(type)) return
    const isFailed = !type.endsWith('Aborted')
    for (let failing = isFailed ? visit : undefined; failing !== undefined; failing = failing.parent) {
      if (failing.status !== 'running') continue
      const { error, cause } = detailsOf(event) as { error?: string; cause?: string }
      failing.error ??= error
      failing.cause ??= cause
      failing.status = 'failed'
      failing.exitMs = atMs
      endAttempt(failing, 'failed', atMs, {})
    }
    for (const open of visits) if (open.status === 'running') close(open, atMs)
  }

  return {
    visits,
    add(events) {
      for (const event of events) take(event)
    },
    visitOf: eventId => owners.get(eventId),
  }
}

function exit(visit: Visit, exitId: number, atMs: number): Spot {
  visit.exitId = exitId
  visit.exitMs = atMs
  if (visit.attempts.at(-1)?.status === 'running') endAttempt(visit, 'succeeded', atMs, {})
  visit.status =
    visit.attempts.at(-1)?.status === 'failed' || visit.error !== undefined ? 'caught' : 'succeeded'
  return { visit: visit.parent, iteration: visit.iteration }
}

/** Its last attempt may have failed: then that is what ended it. */
function close(visit: Visit, atMs: number): void {
  const hasFailed = visit.type === 'Fail' || visit.attempts.at(-1)?.status === 'failed'
  visit.status = hasFailed ? 'failed' : 'cancelled'
  visit.exitMs = atMs
  endAttempt(visit, hasFailed ? 'failed' : 'cancelled', atMs, {})
}

function advanceTask(visit: Visit, event: GraphEvent, atMs: number): void {
  const { type = '' } = event
  const details = detailsOf(event)
  if (type.endsWith('Scheduled')) {
    reopen(visit)
    visit.attempts.push(newAttempt(event.id ?? 0, atMs))
  } else if (type.endsWith('Started')) {
    const attempt = visit.attempts.at(-1)
    if (attempt) attempt.startedMs = atMs
  } else if (/(Failed|TimedOut)$/.test(type)) {
    endAttempt(visit, 'failed', atMs, details)
    const { error, cause } = details as { error?: string; cause?: string }
    visit.error = error ?? (type.endsWith('TimedOut') ? 'States.Timeout' : undefined)
    visit.cause = cause
  } else if (type.endsWith('Succeeded')) {
    endAttempt(visit, 'succeeded', atMs, details)
  } else if (type.endsWith('StateAborted')) close(visit, atMs)
}

/** A retry, or a redrive: what it and all around it ended with before no longer counts. */
function reopen(visit: Visit): void {
  if (visit.exitId !== undefined) return
  visit.error = undefined
  visit.cause = undefined
  visit.status = 'running'
  visit.exitMs = undefined
  for (let around = visit.parent; around !== undefined; around = around.parent) {
    if (around.status === 'running') continue
    reopen(around)
    const attempt = around.attempts.at(-1)
    if (attempt)
      Object.assign(attempt, { status: 'running', endMs: undefined, error: undefined, cause: undefined })
  }
}

function newAttempt(firstEventId: number, scheduledMs: number, startedMs?: number): Attempt {
  return {
    firstEventId,
    scheduledMs,
    startedMs,
    endMs: undefined,
    status: 'running',
    error: undefined,
    cause: undefined,
  }
}

function endAttempt(
  visit: Visit,
  status: Attempt['status'],
  endMs: number,
  { error, cause }: { readonly error?: unknown; readonly cause?: unknown },
): void {
  const attempt = visit.attempts.at(-1)
  if (attempt?.status !== 'running') return
  attempt.status = status
  attempt.endMs = endMs
  attempt.error = typeof error === 'string' ? error : undefined
  attempt.cause = typeof cause === 'string' ? cause : undefined
}

/** Whether a visit is inside another, in that iteration if one is given. */
function isInside(visit: Visit, container: Visit, iteration?: number): boolean {
  for (let inner = visit; inner.parent !== undefined; inner = inner.parent) {
    if (inner.parent === container) return iteration === undefined || inner.iteration === iteration
  }
  return false
}

function climb(visit: Visit | undefined, wanted: (visit: Visit) => boolean): Visit | undefined {
  let found = visit
  while (found !== undefined && !wanted(found)) found = found.parent
  return found
}

function nameIn(event: GraphEvent): string {
  return String(detailsOf(event)['name'] ?? '')
}

/** Whatever the event has under a key that ends in `EventDetails`. */
export function detailsOf(event: GraphEvent): Readonly<Record<string, unknown>> {
  for (const [key, value] of Object.entries(event)) {
    if (key.endsWith('EventDetails')) return (value ?? {}) as Readonly<Record<string, unknown>>
  }
  return {}
}

function toMs(timestamp: GraphEvent['timestamp']): number {
  return typeof timestamp === 'number' ? timestamp : new Date(timestamp ?? 0).getTime()
}
