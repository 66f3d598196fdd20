import type { MapItems, Visit, VisitStatus } from './visits.ts'

/** What became of a state in an execution, all visits together. */
export interface StateStatus {
  readonly status: VisitStatus
  readonly visits: number
  /** Attempts after the first, of all visits. */
  readonly retries: number
  readonly items: MapItems | undefined
  /** A Distributed Map: what its children did is not in this history. */
  readonly isDistributed: boolean
}

/** Which iteration of which Map is looked at, by the Map's name. */
export type Iterations = ReadonlyMap<string, number>

const gravity: Readonly<Record<VisitStatus, number>> = {
  running: 5,
  failed: 4,
  caught: 3,
  cancelled: 2,
  succeeded: 1,
}

/**
 * By the states' names, which ASL wants to be unique in a whole machine. Where a state was visited in several
 * iterations, what needs attention counts: running, then failed, caught, cancelled, succeeded. Where it was visited
 * several times in a loop, the last time counts.
 */
export function statusOfStates(
  visits: readonly Visit[],
  iterations: Iterations = new Map(),
): ReadonlyMap<string, StateStatus> {
  const found = new Map<string, StateStatus>()
  for (const visit of visits) {
    if (!isChosen(visit, iterations)) continue
    const before = found.get(visit.name)
    const retries = Math.max(0, visit.attempts.length - 1) + (before?.retries ?? 0)
    const isGraver =
      before === undefined || visit.parent === undefined || gravity[visit.status] >= gravity[before.status]
    found.set(visit.name, {
      status: isGraver ? visit.status : before.status,
      visits: (before?.visits ?? 0) + 1,
      retries,
      items: visit.items ?? before?.items,
      isDistributed: visit.mapRunArn !== undefined || (before?.isDistributed ?? false),
    })
  }
  return found
}

/** The transitions that the execution made, as `transitionKey` names them. */
export function transitionsOf(
  visits: readonly Visit[],
  iterations: Iterations = new Map(),
): ReadonlySet<string> {
  const found = new Set<string>()
  for (const visit of visits) {
    if (visit.after === undefined || !isChosen(visit, iterations)) continue
    found.add(transitionKey(visit.after.name, visit.name, visit.after.status === 'caught'))
  }
  return found
}

export function transitionKey(from: string, to: string, isCaught: boolean): string {
  return JSON.stringify([from, to, isCaught])
}

function isChosen(visit: Visit, iterations: Iterations): boolean {
  if (iterations.size === 0) return true
  for (let inner = visit; inner.parent !== undefined; inner = inner.parent) {
    const chosen = iterations.get(inner.parent.name)
    if (chosen !== undefined && inner.iteration !== undefined && inner.iteration !== chosen) return false
  }
  return true
}
