import { expect, it } from 'vitest'
import type { GraphNode } from './graph.ts'
import { nearestState } from './nearest-state.ts'
import type { PlacedNode } from './placement.ts'

function place(name: string, x: number, y: number, type: GraphNode['type'] = 'Pass'): PlacedNode {
  const node = { id: name, name, type, detail: '', maxRetries: 0, regions: [] }
  return { node, depth: 0, x, y, width: 100, height: 40 }
}

it('goes straight on rather than aside, and never to where a machine begins', () => {
  const here = place('here', 100, 100)
  const nodes = [
    place('start', 100, 0, 'Start'),
    here,
    place('below', 110, 300),
    place('aside', 300, 200),
    place('left', 0, 100),
  ]
  const to = (x: -1 | 0 | 1, y: -1 | 0 | 1) => nearestState(nodes, here, { x, y })?.node.name
  expect([to(0, 1), to(-1, 0), to(1, 0), to(0, -1)]).toEqual(['below', 'left', 'aside', undefined])
})
