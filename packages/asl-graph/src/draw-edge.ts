import type { GraphEdge } from './graph.ts'
import { edgeLabel, labelFontSize } from './layout.ts'
import type { PlacedEdge, Point } from './placement.ts'
import { type SvgElement, svg } from './svg.ts'
import { textWidth } from './text-width.ts'

const maxRadius = 16
const arrowLength = 7

/** The ways that were taken over the others, and whole: where lines join, only one of them is drawn. */
export function drawEdges(
  edges: readonly PlacedEdge[],
  isTaken: (edge: GraphEdge) => boolean,
): readonly SvgElement[] {
  const taken = new Set(edges.filter(({ edge }) => isTaken(edge)))
  return [
    ...edges.filter(placed => !taken.has(placed)).map(placed => drawEdge(placed, false)),
    ...[...taken].map(placed => drawEdge(placed, true)),
  ]
}

/** A line with its arrow, dashed for a catcher, and its label. */
function drawEdge({ edge, points, ownPoints, label }: PlacedEdge, isTaken: boolean): SvgElement {
  const isWhole = isTaken || ownPoints === undefined
  const text = edgeLabel(edge)
  const labelWidth = textWidth(text, labelFontSize) + 8
  return svg(
    'g',
    { class: `edge ${edge.kind}${isTaken ? ' taken' : ''}` },
    edge.label ? svg('title', {}, edge.label) : undefined,
    svg('path', { class: 'line', d: linePath(isWhole ? points : ownPoints) }),
    isWhole ? svg('path', { class: 'arrow', d: arrowPath(points) }) : undefined,
    label &&
      svg('rect', {
        class: 'label-box',
        x: round(label.x - labelWidth / 2),
        y: round(label.y - 8),
        width: round(labelWidth),
        height: 16,
        rx: 3,
      }),
    label && svg('text', { class: 'label', x: round(label.x), y: round(label.y + 4) }, text),
  )
}

/** Straight, with round corners. */
function linePath(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  const parts = [`M${at(first)}`]
  for (const [index, point] of rest.entries()) {
    const next = rest[index + 1]
    if (next === undefined) {
      parts.push(`L${at(point)}`)
      continue
    }
    const before = points[index] as Point
    const radius = Math.min(maxRadius, distance(before, point) / 2, distance(point, next) / 2)
    parts.push(`L${at(towards(point, before, radius))}Q${at(point)} ${at(towards(point, next, radius))}`)
  }
  return parts.join('')
}

function arrowPath(points: readonly Point[]): string {
  const end = points.at(-1)
  const before = points.at(-2)
  if (end === undefined || before === undefined) return ''
  const base = towards(end, before, arrowLength)
  const sideX = ((end.y - base.y) / arrowLength) * 3.5
  const sideY = ((end.x - base.x) / arrowLength) * 3.5
  return `M${at(end)}L${at({ x: base.x + sideX, y: base.y - sideY })}L${at({ x: base.x - sideX, y: base.y + sideY })}Z`
}

function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to) || 1
  return { x: from.x + ((to.x - from.x) / whole) * length, y: from.y + ((to.y - from.y) / whole) * length }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
