export { type DrawOptions, drawSvg } from './draw.ts'
export { allNodes, type GraphEdge, type GraphNode, type GraphRegion, toGraph } from './graph.ts'
export { drawMermaid } from './mermaid.ts'
export type { Iterations, StateStatus } from './state-status.ts'
export {
  type Attempt,
  createVisitReader,
  detailsOf,
  type GraphEvent,
  type MapItems,
  type Visit,
  type VisitReader,
  type VisitStatus,
} from './visits.ts'
