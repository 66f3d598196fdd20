import type { StateMachine } from '@stepwright/asl'
import { drawEdges } from './draw-edge.ts'
import { drawFace, drawTarget, drawTerminal, isTerminal, type ShownStatus } from './draw-node.ts'
import { type GraphEdge, type GraphNode, toGraph } from './graph.ts'
import { layoutGraph } from './layout.ts'
import type { Layout, PlacedNode } from './placement.ts'
import { present } from './present.ts'
import { type StateStatus, statusOfStates, transitionKey, transitionsOf } from './state-status.ts'
import { darkStyle, lightRules } from './style.ts'
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

/** A picture that needs nothing else: its colours are attributes, which also programs know that read no style sheet. */
export function drawLayout(layout: Layout, overlay: Overlay | undefined, title: string): SvgElement {
  const width = Math.ceil(layout.width)
  const height = Math.ceil(layout.height)
  const picture = svg(
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
    svg('style', {}, darkStyle),
    drawContent(layout, overlay),
  )
  return present(picture, lightRules)
}

/** Boxes that hold others first, then lines, then states, so that nothing hides a label. */
function drawContent(layout: Layout, overlay: Overlay | undefined): SvgElement {
  const statusOf = createStatusOf(layout, overlay)
  const draw = (placed: PlacedNode): readonly SvgElement[] =>
    isTerminal(placed.node)
      ? [drawTerminal(placed)]
      : [drawTarget(placed, statusOf(placed.node)), drawFace(placed, statusOf(placed.node))]
  return svg(
    'g',
    {},
    ...layout.nodes.filter(isContainer).flatMap(draw),
    ...drawEdges(layout.edges, createTakenOf(layout, overlay)),
    ...layout.nodes.filter(placed => !isContainer(placed)).flatMap(draw),
  )
}

export function isContainer({ node }: PlacedNode): boolean {
  return node.regions.length > 0
}

/** What became of a state; `undefined` where nobody knows, as in the children of a Distributed Map. */
export function createStatusOf(
  { nodes }: Layout,
  overlay: Overlay | undefined,
): (node: GraphNode) => ShownStatus {
  if (overlay === undefined) return () => undefined
  const distributed = nodes
    .filter(({ node }) => overlay.states.get(node.name)?.isDistributed)
    .map(({ node }) => `${node.id}/`)
  return ({ id, name }) =>
    overlay.states.get(name) ?? (distributed.some(around => id.startsWith(around)) ? undefined : 'unreached')
}

/** Whether the execution went that way. */
export function createTakenOf({ nodes }: Layout, overlay: Overlay | undefined): (edge: GraphEdge) => boolean {
  if (overlay === undefined) return () => false
  const { states, transitions } = overlay
  const names = new Map(nodes.map(({ node }) => [node.id, node.name]))
  const nameOf = (id: string): string => names.get(id) ?? ''
  return ({ from, to, kind }) => {
    if (from === '/start') return states.has(nameOf(to))
    if (to === '/end') return states.get(nameOf(from))?.status === 'succeeded'
    return transitions.has(transitionKey(nameOf(from), nameOf(to), kind === 'catch'))
  }
}

function readVisits(history: readonly GraphEvent[]): readonly Visit[] {
  const reader = createVisitReader()
  reader.add(history)
  return reader.visits
}
