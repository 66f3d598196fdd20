import { arrangeByDagre } from './arrange-dagre.ts'
import { arrangeInRows, rankSpan } from './arrange-rows.ts'
import type { GraphEdge, GraphNode, GraphRegion } from './graph.ts'
import { type Layout, moveEdge, type Point, type RegionTask } from './placement.ts'
import { fitText, textWidth } from './text-width.ts'

export const nodeFontSize = 13
export const labelFontSize = 11
export const headerHeight = 40
const padding = 18
const regionGap = 20
const maxLabelWidth = 190
/** Dagre's time grows with the ranks that edges span, faster than linearly. */
const maxSpanForDagre = 260

/** Where everything is drawn. What is inside a Map or a Parallel is laid out on its own, then treated as one box. */
export function layoutGraph(graph: GraphRegion): Layout {
  const { width, height, nodes, edges } = layoutRegion(graph, 0)
  return {
    width: width + 2 * padding,
    height: height + 2 * padding,
    ...moved({ nodes, edges }, padding, padding),
  }
}

export function edgeLabel({ label }: GraphEdge): string {
  return fitText(label, labelFontSize, maxLabelWidth)
}

function layoutRegion(region: GraphRegion, depth: number): Layout {
  const contents = new Map(region.nodes.map(node => [node.id, layoutNode(node, depth)]))
  const task: RegionTask = {
    boxes: contents,
    edges: region.edges.map(edge => ({
      edge,
      labelWidth: edge.label ? textWidth(edgeLabel(edge), labelFontSize) + 10 : 0,
    })),
  }
  const arrange = rankSpan(task) > maxSpanForDagre ? arrangeInRows : arrangeByDagre
  const { width, height, places, edges } = arrange(task)
  const placed = [...contents].map(([id, content]) => {
    const { x = 0, y = 0 } = places.get(id) ?? {}
    return moved(content, x, y)
  })
  return {
    width,
    height,
    nodes: placed.flatMap(({ nodes }) => nodes),
    edges: [...edges, ...placed.flatMap(inner => inner.edges)],
  }
}

function layoutNode(node: GraphNode, depth: number): Layout {
  if (node.type === 'Start' || node.type === 'End') return leaf(node, depth, 30, 30)
  const width = Math.min(
    Math.max(textWidth(node.name, nodeFontSize) * 1.12, textWidth(node.detail, labelFontSize)) + 64,
    290,
  )
  if (node.regions.length === 0) return leaf(node, depth, Math.max(width, 132), 46)
  const inner: (Layout & { left: number })[] = []
  let left = padding
  for (const region of node.regions) {
    const laid = layoutRegion(region, depth + 1)
    inner.push({ ...laid, left })
    left += laid.width + regionGap
  }
  const innerWidth = left - regionGap + padding
  const outerWidth = Math.max(innerWidth, width + 40)
  const shift = (outerWidth - innerWidth) / 2
  const contents = inner.map(layout => moved(layout, layout.left + shift, headerHeight + padding))
  const height = headerHeight + 2 * padding + Math.max(0, ...inner.map(layout => layout.height))
  return {
    width: outerWidth,
    height,
    nodes: [
      { node, depth, x: 0, y: 0, width: outerWidth, height },
      ...contents.flatMap(({ nodes }) => nodes),
    ],
    edges: contents.flatMap(({ edges }) => edges),
  }
}

function leaf(node: GraphNode, depth: number, width: number, height: number): Layout {
  return { width, height, nodes: [{ node, depth, x: 0, y: 0, width, height }], edges: [] }
}

function moved(
  { nodes, edges }: Pick<Layout, 'nodes' | 'edges'>,
  byX: number,
  byY: number,
): Pick<Layout, 'nodes' | 'edges'> {
  const move = ({ x, y }: Point): Point => ({ x: x + byX, y: y + byY })
  return {
    nodes: nodes.map(placed => ({ ...placed, ...move(placed) })),
    edges: edges.map(placed => moveEdge(placed, move)),
  }
}
