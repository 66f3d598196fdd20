import type { Scope, StateNode } from './machine.ts'

/** A state on a walk through its scope. */
interface Visit {
  readonly state: StateNode
  readonly entered: number
  /** The earliest visit that it leads back to. */
  back: number
  nextEdge: number
  grouped: boolean
}

/**
 * The states that can be reached, in groups: those of a loop together, every other one by itself, each group after
 * those that lead to it. Within a loop, but for its ways back, each state comes after those that lead to it.
 */
export function inOrder(scope: Scope): readonly (readonly StateNode[])[] {
  const visits = new Map<string, Visit>()
  const walk: Visit[] = []
  const left: Visit[] = []
  const groups: (readonly StateNode[])[] = []
  const enter = (name: string): void => {
    const state = scope.states.get(name)
    if (state === undefined) return
    const visit = { state, entered: visits.size, back: visits.size, nextEdge: 0, grouped: false }
    visits.set(name, visit)
    walk.push(visit)
  }
  enter(scope.startAt)
  for (let visit = walk.at(-1); visit !== undefined; visit = walk.at(-1)) {
    const edge = visit.state.edges[visit.nextEdge]
    visit.nextEdge += 1
    if (edge !== undefined) {
      const known = visits.get(edge.to)
      if (known === undefined) enter(edge.to)
      else if (!known.grouped) visit.back = Math.min(visit.back, known.entered)
      continue
    }
    walk.pop()
    const before = walk.at(-1)
    if (before !== undefined) before.back = Math.min(before.back, visit.back)
    left.push(visit)
    if (visit.back === visit.entered) groups.push(takeGroup(left, visit))
  }
  return groups.reverse()
}

/** Takes the states of a loop, which were left before the state that it was entered by; the last one first. */
function takeGroup(left: Visit[], first: Visit): readonly StateNode[] {
  const group: StateNode[] = []
  for (let visit = left.at(-1); visit !== undefined && visit.entered >= first.entered; visit = left.at(-1)) {
    visit.grouped = true
    group.push(visit.state)
    left.pop()
  }
  return group
}
