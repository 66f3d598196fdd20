import type { StateMachine } from '@stepwright/asl'
import { drawEdge } from './draw-edge.ts'
import { drawNode } from './draw-node.ts'
import { type GraphNode, toGraph } from './graph.ts'
import { layoutGraph } from './layout.ts'
import type { Layout } from './placement.ts'
import { type StateStatus, statusOfStates, transitionsOf } from './state-status.ts'
import { graphStyle } from './style.ts'
import { type SvgElement, svg, toSvgText } from './svg.ts'
import { createVisitReader, type GraphEvent, type Visit } from './visits.ts'

/** What is laid over the states. */
export interface Overlay {
  readonly states: ReadonlyMap<string, StateStatus>
  readonly transitions: ReadonlySet<string>
}

export interface DrawOptions {
  /** The events of an execution, in order. @default the machine alone */
  readonly history?: readonly GraphEvent[]
  /** What the picture is called. @default 'State machine' */
  readonly title?: string
}

/** A state machine, and an execution of it if there is one, as an SVG document that needs nothing else. */
export function drawSvg(
  definition: StateMachine,
  { history, title = 'State machine' }: DrawOptions = {},
): string {
  const layout = layoutGraph(toGraph(definition))
  return toSvgText(drawLayout(layout, history && overlayOf(readVisits(history)), title))
}

export function overlayOf(visits: readonly Visit[], iterations?: ReadonlyMap<string, number>): Overlay {
  return { states: statusOfStates(visits, iterations), transitions: transitionsOf(visits, iterations) }
}

export function drawLayout(layout: Layout, overlay: Overlay | undefined, title: string): SvgElement {
  const width = Math.ceil(layout.width)
  const height = Math.ceil(layout.height)
  return svg(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      class: overlay ? 'asl-graph with-execution' : 'asl-graph',
      role: 'img',
    },
    svg('title', {}, title),
    svg('style', {}, graphStyle),
    drawContent(layout, overlay),
  )
}

/** Boxes first, then lines, then states, so that nothing hides a label. */
export function drawContent(layout: Layout, overlay: Overlay | undefined): SvgElement {
  const isContainer = ({ node }: Layout['nodes'][number]): boolean => node.regions.length > 0
  const statusOf = createStatusOf(layout, overlay)
  const draw = (placed: Layout['nodes'][number]): SvgElement => drawNode(placed, statusOf(placed.node))
  const names = new Map(layout.nodes.map(({ node }) => [node.id, node.name]))
  return svg(
    'g',
    {},
    ...layout.nodes.filter(isContainer).map(draw),
    ...layout.edges.map(placed => drawEdge(placed, names, overlay)),
    ...layout.nodes.filter(placed => !isContainer(placed)).map(draw),
  )
}

/** What became of a state; `undefined` where nobody knows, as in the children of a Distributed Map. */
export function createStatusOf(
  { nodes }: Layout,
  overlay: Overlay | undefined,
): (node: GraphNode) => StateStatus | 'unreached' | undefined {
  if (overlay === undefined) return () => undefined
  const distributed = nodes
    .filter(({ node }) => overlay.states.get(node.name)?.isDistributed)
    .map(({ node }) => `${node.id}/`)
  return ({ id, name }) =>
    overlay.states.get(name) ?? (distributed.some(around => id.startsWith(around)) ? undefined : 'unreached')
}

function readVisits(history: readonly GraphEvent[]): readonly Visit[] {
  const reader = createVisitReader()
  reader.add(history)
  return reader.visits
}
