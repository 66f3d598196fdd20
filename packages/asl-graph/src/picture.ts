/// <reference lib="dom" preserve="true" />
/// <reference lib="dom.iterable" preserve="true" />
import { createStatusOf, createTakenOf, isContainer, type Overlay } from './draw.ts'
import { drawEdges } from './draw-edge.ts'
import { describeNode, drawFace, drawTarget, drawTerminal, isTerminal, stateClass } from './draw-node.ts'
import type { Box, Layout, PlacedEdge, PlacedNode } from './placement.ts'
import { type SvgElement, svg } from './svg.ts'
import { toDom } from './svg-dom.ts'

/** What is shown of an execution and of the checker. */
export interface PictureContent {
  readonly overlay: Overlay | undefined
  /** How many findings each state has, by its JSON Pointer. */
  readonly findings: Readonly<Record<string, number>>
}

/** The picture in a page. */
export interface Picture {
  readonly element: SVGSVGElement
  /** Draws another machine. */
  setLayout(layout: Layout): void
  setContent(content: PictureContent): void
  /** Which part of the layout is seen: what is not is not drawn. */
  setView(view: Box): void
  select(id: string | undefined): void
  /** The only state that the tab key goes to. */
  setTabStop(id: string | undefined): void
  targetOf(id: string): SVGElement | undefined
}

/** So much more than what is seen is drawn around it, as a part of that. */
const margin = 0.5

/**
 * Every state is in the page all the time, for readers and the keyboard. Lines, and what is written on states, are
 * there only where somebody looks: thousands of them would be painted anew with every step of a pan.
 */
export function createPicture(): Picture {
  const element = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  element.setAttribute('role', 'group')
  const [boxes, lines, states, faces] = Array.from({ length: 4 }, () => {
    const layer = toDom(svg('g'))
    element.append(layer)
    return layer
  }) as [SVGElement, SVGElement, SVGElement, SVGElement]
  const targets = new Map<string, SVGElement>()
  const reaches = new Map<PlacedEdge, Box>()
  let layout: Layout = { width: 0, height: 0, nodes: [], edges: [] }
  let content: PictureContent = { overlay: undefined, findings: {} }
  let drawn: Box | undefined
  let view: Box | undefined
  let selected: string | undefined

  function drawStates(): void {
    targets.clear()
    const fill = (layer: SVGElement, placed: readonly PlacedNode[]): void =>
      layer.replaceChildren(
        ...placed.map(each => {
          if (isTerminal(each.node)) return toDom(drawTerminal(each))
          const state = toDom(drawTarget(each, undefined))
          const target = state.firstElementChild as SVGElement
          target.setAttribute('role', 'button')
          target.setAttribute('tabindex', '-1')
          targets.set(each.node.id, target)
          return state
        }),
      )
    fill(boxes, layout.nodes.filter(isContainer))
    fill(
      states,
      layout.nodes.filter(placed => !isContainer(placed)),
    )
  }

  function nameStates(): void {
    const { overlay, findings } = content
    element.setAttribute('class', overlay ? 'asl-graph with-execution' : 'asl-graph')
    const statusOf = createStatusOf(layout, overlay)
    for (const { node } of layout.nodes) {
      const target = targets.get(node.id)
      if (!target) continue
      const status = statusOf(node)
      const found = findings[node.id] ?? 0
      const name = describeNode(node, status) + (found > 0 ? `, ${found} findings` : '')
      if (target.getAttribute('aria-label') === name) continue
      target.setAttribute('aria-label', name)
      if (target.firstElementChild) target.firstElementChild.textContent = name
      target.parentElement?.setAttribute('class', stateClass(node, status))
    }
  }

  function drawSeen(): void {
    if (view === undefined) return
    drawn = {
      x: view.x - view.width * margin,
      y: view.y - view.height * margin,
      width: view.width * (1 + 2 * margin),
      height: view.height * (1 + 2 * margin),
    }
    const area = drawn
    const { overlay, findings } = content
    const statusOf = createStatusOf(layout, overlay)
    const isTaken = createTakenOf(layout, overlay)
    const isSeen = (placed: PlacedEdge): boolean =>
      overlaps(area, isTaken(placed.edge) ? reachOf(placed.points) : (reaches.get(placed) ?? area))
    lines.replaceChildren(...drawEdges(layout.edges.filter(isSeen), isTaken).map(toDom))
    faces.replaceChildren(
      ...layout.nodes
        .filter(placed => !isTerminal(placed.node) && overlaps(area, placed))
        .map(placed => toDom(marked(drawFace(placed, statusOf(placed.node)), findings[placed.node.id] ?? 0))),
    )
  }

  function mark(id: string | undefined): void {
    const target = id === undefined ? undefined : targets.get(id)
    target?.classList.toggle('is-selected', id === selected)
    target?.setAttribute('aria-pressed', String(id === selected))
  }

  return {
    element,
    setLayout(next) {
      layout = next
      reaches.clear()
      for (const placed of layout.edges) reaches.set(placed, reachOf(placed.ownPoints ?? placed.points))
      element.setAttribute('viewBox', `0 0 ${Math.ceil(layout.width)} ${Math.ceil(layout.height)}`)
      drawStates()
      for (const id of targets.keys()) mark(id)
      nameStates()
      drawSeen()
    },
    setContent(next) {
      content = next
      nameStates()
      drawSeen()
    },
    setView(next) {
      view = next
      if (drawn === undefined || !contains(drawn, view)) drawSeen()
    },
    select(id) {
      const before = selected
      selected = id
      mark(before)
      mark(id)
    },
    setTabStop(id) {
      element.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1')
      if (id !== undefined) targets.get(id)?.setAttribute('tabindex', '0')
    },
    targetOf: id => targets.get(id),
  }
}

function marked(face: SvgElement, findings: number): SvgElement {
  if (findings === 0) return face
  return { ...face, attributes: { ...face.attributes, class: `${face.attributes['class']} has-findings` } }
}

function reachOf(points: PlacedEdge['points']): Box {
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

function overlaps(a: Box, b: Box): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height
}

function contains(outer: Box, inner: Box): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.width >= inner.x + inner.width &&
    outer.y + outer.height >= inner.y + inner.height
  )
}
