import type { GraphEdge, GraphNode } from './graph.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Box extends Point {
  readonly width: number
  readonly height: number
}

/** A node and its place; `x` and `y` are its upper left corner. */
export interface PlacedNode extends Box {
  readonly node: GraphNode
  /** How deep it is inside others. */
  readonly depth: number
}

export interface PlacedEdge {
  readonly edge: GraphEdge
  readonly points: readonly Point[]
  /** The part that no other line to the same target covers. @default all of it, with the arrow */
  readonly ownPoints?: readonly Point[]
  /** The middle of its label. */
  readonly label: Point | undefined
}

export function moveEdge(placed: PlacedEdge, move: (point: Point) => Point): PlacedEdge {
  const { edge, points, ownPoints, label } = placed
  return {
    edge,
    points: points.map(move),
    ...(ownPoints && { ownPoints: ownPoints.map(move) }),
    label: label && move(label),
  }
}

export interface Layout {
  readonly width: number
  readonly height: number
  /** Each before what is inside it. */
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
}

/** A region of boxes without places. */
export interface RegionTask {
  readonly boxes: ReadonlyMap<string, { readonly width: number; readonly height: number }>
  readonly edges: readonly { readonly edge: GraphEdge; readonly labelWidth: number }[]
}

/** Boxes by their id, with their upper left corners. */
export interface Arrangement {
  readonly width: number
  readonly height: number
  readonly places: ReadonlyMap<string, Point>
  readonly edges: readonly PlacedEdge[]
}
