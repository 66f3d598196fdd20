import { Graph, layout } from '@dagrejs/dagre'
import type { Arrangement, RegionTask } from './placement.ts'

/** Few crossings and short edges, for regions of a usual size. */
export function arrangeByDagre({ boxes, edges }: RegionTask): Arrangement {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ nodesep: 34, edgesep: 18, ranksep: 34 })
  for (const [id, { width, height }] of boxes) graph.setNode(id, { width, height })
  for (const [index, { edge, labelWidth }] of edges.entries()) {
    graph.setEdge(
      edge.from,
      edge.to,
      {
        width: labelWidth,
        height: labelWidth > 0 ? 18 : 0,
        labelpos: 'c',
        weight: edge.kind === 'catch' ? 1 : 12,
      },
      String(index),
    )
  }
  layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  return {
    width,
    height,
    places: new Map(
      [...boxes.keys()].map(id => {
        const { x = 0, y = 0, width: nodeWidth = 0, height: nodeHeight = 0 } = graph.node(id)
        return [id, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 }] as const
      }),
    ),
    edges: edges.map(({ edge, labelWidth }, index) => {
      const { points = [], x = 0, y = 0 } = graph.edge(edge.from, edge.to, String(index))
      return { edge, points, label: labelWidth > 0 ? { x, y } : undefined }
    }),
  }
}
