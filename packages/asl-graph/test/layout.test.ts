import type { StateMachine } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { toGraph } from '../src/graph.ts'
import { layoutGraph } from '../src/layout.ts'
import type { PlacedNode } from '../src/placement.ts'
import { largeMachine } from './large-machine.ts'

function overlaps(a: PlacedNode, b: PlacedNode): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

describe('layoutGraph', () => {
  it.each([
    ['a small machine', 12],
    ['a large one', 400],
  ])('puts no state of %s over another, and none outside', (_, count) => {
    const layout = layoutGraph(toGraph(largeMachine(count)))
    expect(layout.nodes).toHaveLength(count + 3)
    for (const [index, node] of layout.nodes.entries()) {
      expect(node.x >= 0 && node.x + node.width <= layout.width).toBe(true)
      expect(node.y >= 0 && node.y + node.height <= layout.height).toBe(true)
      expect(layout.nodes.slice(index + 1).filter(other => overlaps(node, other))).toEqual([])
    }
    for (const { points } of layout.edges) {
      for (const { x, y } of points) {
        expect(x >= 0 && x <= layout.width && y >= 0 && y <= layout.height).toBe(true)
      }
    }
  })

  it('puts what is inside a Map inside it', () => {
    const definition: StateMachine = {
      StartAt: 'Each',
      States: {
        Each: {
          Type: 'Map',
          End: true,
          ItemProcessor: { StartAt: 'One', States: { One: { Type: 'Pass', End: true } } },
        },
      },
    }
    const { nodes } = layoutGraph(toGraph(definition))
    const [each, one] = ['Each', 'One'].map(name => nodes.find(({ node }) => node.name === name))
    expect(one?.x).toBeGreaterThan(each?.x ?? 0)
    expect((one?.y ?? 0) + (one?.height ?? 0)).toBeLessThan((each?.y ?? 0) + (each?.height ?? 0))
  })

  it('lays out states that lead back and to themselves', () => {
    const definition: StateMachine = {
      StartAt: 'A',
      States: {
        A: { Type: 'Pass', Next: 'B' },
        B: { Type: 'Choice', Choices: [{ Condition: '{% true %}', Next: 'B' }], Default: 'A' },
      },
    }
    expect(layoutGraph(toGraph(definition)).nodes).toHaveLength(3)
  })
})
