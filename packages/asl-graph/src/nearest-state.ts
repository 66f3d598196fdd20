import { isTerminal } from './draw-node.ts'
import type { PlacedNode } from './placement.ts'

export interface Direction {
  readonly x: -1 | 0 | 1
  readonly y: -1 | 0 | 1
}

/** The state that an arrow key leads to: the nearest in that direction, rather straight on than aside. */
export function nearestState(
  nodes: readonly PlacedNode[],
  from: PlacedNode,
  direction: Direction,
): PlacedNode | undefined {
  let best: { readonly placed: PlacedNode; readonly cost: number } | undefined
  for (const placed of nodes) {
    if (placed === from || isTerminal(placed.node)) continue
    const [x, y] = [middleX(placed) - middleX(from), placed.y - from.y]
    const along = x * direction.x + y * direction.y
    const across = Math.abs(x * direction.y) + Math.abs(y * direction.x)
    if (along <= 1) continue
    const cost = along + 2 * across
    if (best === undefined || cost < best.cost) best = { placed, cost }
  }
  return best?.placed
}

export function middleX({ x, width }: PlacedNode): number {
  return x + width / 2
}
