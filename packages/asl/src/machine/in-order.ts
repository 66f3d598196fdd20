import type { Scope, StateNode } from './machine.ts'

/** A state on a walk through its scope. */
interface Visit {
  readonly state: StateNode
  readonly entered: number
  readonly from: Visit | undefined
  /** The earliest visit that it leads back to. */
  back: number
  nextEdge: number
  /** Once it is left, the one that was left before it and is in no group either. */
  leftBefore: Visit | undefined
  grouped: boolean
}

/**
 * The states that can be reached, in groups: those of a loop together, every other one by itself, each group after
 * those that lead to it. Within a loop, but for its ways back, each state comes after those that lead to it.
 */
export function inOrder(scope: Scope): readonly (readonly StateNode[])[] {
  const visits = new Map<string, Visit>()
  const groups: (readonly StateNode[])[] = []
  const enter = (name: string, from: Visit | undefined): Visit | undefined => {
    const state = scope.states.get(name)
    if (state === undefined) return from
    const entered = visits.size
    const visit = { state, entered, from, back: entered, nextEdge: 0, leftBefore: undefined, grouped: false }
    visits.set(name, visit)
    return visit
  }
  let lastLeft: Visit | undefined
  for (let visit = enter(scope.startAt, undefined); visit !== undefined; ) {
    const edge = visit.state.edges[visit.nextEdge]
    visit.nextEdge += 1
    if (edge !== undefined) {
      const known = visits.get(edge.to)
      if (known === undefined) visit = enter(edge.to, visit)
      else if (!known.grouped) visit.back = Math.min(visit.back, known.entered)
      continue
    }
    if (visit.back < visit.entered) {
      visit.leftBefore = lastLeft
      lastLeft = visit
    } else {
      const group = [visit.state]
      visit.grouped = true
      // what was entered after it and is in no group leads back to it
      for (; lastLeft !== undefined && lastLeft.entered > visit.entered; lastLeft = lastLeft.leftBefore) {
        lastLeft.grouped = true
        group.push(lastLeft.state)
      }
      groups.push(group)
    }
    const { from } = visit
    if (from !== undefined) from.back = Math.min(from.back, visit.back)
    visit = from
  }
  return groups.reverse()
}
