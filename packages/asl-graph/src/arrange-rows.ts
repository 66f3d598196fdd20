import { type Arrangement, moveEdge, type PlacedEdge, type Point, type RegionTask } from './placement.ts'

const rowGap = 34
const columnGap = 30
const laneGap = 10
const sweeps = 6
const joinReach = 16

interface Ranked {
  readonly ids: readonly string[]
  readonly rank: ReadonlyMap<string, number>
}

/** How many ranks all edges span together: what a layout with a dummy on each of them would cost. */
export function rankSpan(task: RegionTask): number {
  const { rank } = rankNodes(task)
  return task.edges.reduce(
    (sum, { edge }) => sum + Math.abs(rankOf(rank, edge.to) - rankOf(rank, edge.from)),
    0,
  )
}

/**
 * In rows, in linear time, for regions of thousands of states. Edges that pass over rows or lead back run in lanes at
 * the sides, one for each target, as a bus: hundreds of catchers of one state are one line.
 */
export function arrangeInRows(task: RegionTask): Arrangement {
  const { ids, rank } = rankNodes(task)
  const rows: string[][] = []
  for (const id of ids) {
    const row = rankOf(rank, id)
    rows[row] ??= []
    rows[row].push(id)
  }
  const near = neighbours(task, rank)
  const middle = placeColumns(rows, task, near)
  const places = new Map<string, Point>()
  let y = 0
  for (const row of rows) {
    const height = Math.max(...row.map(id => sizeOf(task, id).height))
    for (const id of row) {
      const size = sizeOf(task, id)
      places.set(id, { x: (middle.get(id) ?? 0) - size.width / 2, y: y + (height - size.height) / 2 })
    }
    y += height + rowGap
  }
  return route(task, rank, places, y - rowGap)
}

function rankNodes({ boxes, edges }: RegionTask): Ranked {
  const ids = [...boxes.keys()]
  const forward = withoutCycles(ids, edges)
  const incoming = new Map<string, number>(ids.map(id => [id, 0]))
  for (const targets of forward.values()) {
    for (const to of targets) incoming.set(to, (incoming.get(to) ?? 0) + 1)
  }
  const rank = new Map<string, number>()
  const ready = ids.filter(id => incoming.get(id) === 0)
  for (const id of ready) {
    const next = rankOf(rank, id) + 1
    for (const to of forward.get(id) ?? []) {
      rank.set(to, Math.max(rankOf(rank, to), next))
      const left = (incoming.get(to) ?? 0) - 1
      incoming.set(to, left)
      if (left === 0) ready.push(to)
    }
  }
  return { ids, rank }
}

/** The edges that do not lead back to where they come from. Not recursive: machines are deeper than stacks. */
function withoutCycles(ids: readonly string[], edges: RegionTask['edges']): Map<string, string[]> {
  const outgoing = new Map<string, string[]>(ids.map(id => [id, []]))
  for (const { edge } of edges) outgoing.get(edge.from)?.push(edge.to)
  const kept = new Map<string, string[]>(ids.map(id => [id, []]))
  const state = new Map<string, 'open' | 'done'>()
  for (const root of ids) {
    if (state.has(root)) continue
    const path = [{ id: root, next: 0 }]
    state.set(root, 'open')
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const to = outgoing.get(top.id)?.[top.next]
      if (to === undefined) {
        state.set(top.id, 'done')
        path.pop()
        continue
      }
      top.next += 1
      if (state.get(to) === 'open') continue
      kept.get(top.id)?.push(to)
      if (state.has(to)) continue
      state.set(to, 'open')
      path.push({ id: to, next: 0 })
    }
  }
  return kept
}

function neighbours({ edges }: RegionTask, rank: Ranked['rank']): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const add = (id: string, other: string): void => {
    const list = found.get(id)
    if (list) list.push(other)
    else found.set(id, [other])
  }
  for (const { edge } of edges) {
    if (Math.abs(rankOf(rank, edge.to) - rankOf(rank, edge.from)) !== 1) continue
    add(edge.from, edge.to)
    add(edge.to, edge.from)
  }
  return found
}

/** The middles of boxes: each near those that it is connected to, none over another. */
function placeColumns(
  rows: readonly string[][],
  task: RegionTask,
  near: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const middle = new Map<string, number>()
  for (const row of rows)
    spread(
      row,
      row.map(() => 0),
      task,
      middle,
    )
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    for (const row of sweep % 2 === 0 ? rows : rows.toReversed()) {
      const wanted = new Map(row.map(id => [id, meanOf(near.get(id) ?? [id], middle)]))
      row.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0))
      spread(
        row,
        row.map(id => wanted.get(id) ?? 0),
        task,
        middle,
      )
    }
  }
  return middle
}

function meanOf(ids: readonly string[], middle: ReadonlyMap<string, number>): number {
  return ids.reduce((sum, id) => sum + (middle.get(id) ?? 0), 0) / ids.length
}

/** As near to where they want to be as the gaps allow, on both sides alike. */
function spread(
  row: readonly string[],
  wanted: readonly number[],
  task: RegionTask,
  middle: Map<string, number>,
): void {
  const half = row.map(id => sizeOf(task, id).width / 2 + columnGap / 2)
  const fromLeft: number[] = []
  for (const [index, want] of wanted.entries()) {
    const least =
      index === 0 ? want : (fromLeft[index - 1] ?? 0) + (half[index - 1] ?? 0) + (half[index] ?? 0)
    fromLeft.push(Math.max(want, least))
  }
  const drift =
    fromLeft.reduce((sum, x, index) => sum + x - (wanted[index] ?? 0), 0) / Math.max(1, row.length)
  for (const [index, id] of row.entries()) middle.set(id, (fromLeft[index] ?? 0) - drift)
}

function route(
  task: RegionTask,
  rank: Ranked['rank'],
  places: ReadonlyMap<string, Point>,
  height: number,
): Arrangement {
  let left = 0
  let right = 0
  for (const [id, { x }] of places) {
    left = Math.min(left, x)
    right = Math.max(right, x + sizeOf(task, id).width)
  }
  const lanes = assignLanes(task, rank, places)
  const laneOf = (side: Side, target: string): number => {
    const lane = 1 + (lanes[side].get(target) ?? 0)
    return side === 'left' ? left - laneGap * lane : right + laneGap * lane
  }
  const edges = task.edges.map(({ edge, labelWidth }): PlacedEdge => {
    const from = boxOf(task, places, edge.from)
    const to = boxOf(task, places, edge.to)
    const span = rankOf(rank, edge.to) - rankOf(rank, edge.from)
    if (span === 1) {
      const start = { x: from.x + from.width / 2, y: from.y + from.height }
      const end = { x: to.x + to.width / 2, y: to.y }
      const label = labelWidth > 0 ? { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 } : undefined
      return { edge, points: [start, end], label }
    }
    const side = sideFor(span)
    const lane = laneOf(side, edge.to)
    const sideOf = (box: typeof from): Point => ({
      x: side === 'right' ? box.x + box.width : box.x,
      y: box.y + box.height / 2,
    })
    const start = sideOf(from)
    const end = sideOf(to)
    return { edge, points: [start, { x: lane, y: start.y }, { x: lane, y: end.y }, end], label: undefined }
  })
  const buses = joinBuses(edges)
  const outerLeft = left - laneGap * (countLanes(lanes.left) + 1)
  const width = right + laneGap * (countLanes(lanes.right) + 1) - outerLeft
  const shift = ({ x, y }: Point): Point => ({ x: x - outerLeft, y })
  return {
    width,
    height,
    places: new Map([...places].map(([id, place]) => [id, shift(place)])),
    edges: buses.map(placed => moveEdge(placed, shift)),
  }
}

/** Those of one kind that lead to one target through its lane: each is drawn up to where the next one joins. */
function joinBuses(edges: readonly PlacedEdge[]): readonly PlacedEdge[] {
  const buses = Map.groupBy(edges.filter(isInLane), ({ edge, points: [from, , , to] }) =>
    JSON.stringify([edge.to, edge.kind, (from?.y ?? 0) < (to?.y ?? 0)]),
  )
  const joints = new Map<PlacedEdge, number>()
  for (const bus of buses.values()) {
    const inOrder = bus.toSorted((a, b) => laneLength(b) - laneLength(a))
    for (const [index, placed] of inOrder.entries()) {
      const next = inOrder[index + 1]?.points[1]
      if (next) joints.set(placed, next.y)
    }
  }
  return edges.map(placed => {
    const joint = joints.get(placed)
    const [start, turn, corner] = placed.points
    if (joint === undefined || !start || !turn || !corner) return placed
    // Past the round corner of the one that joins.
    const y =
      corner.y > turn.y ? Math.min(corner.y, joint + joinReach) : Math.max(corner.y, joint - joinReach)
    return { ...placed, ownPoints: [start, turn, { x: turn.x, y }] }
  })
}

function isInLane({ points }: PlacedEdge): boolean {
  return points.length === 4
}

function laneLength({ points: [, turn, corner] }: PlacedEdge): number {
  return Math.abs((turn?.y ?? 0) - (corner?.y ?? 0))
}

type Side = 'left' | 'right'

function sideFor(span: number): Side {
  return span > 1 ? 'right' : 'left'
}

/** The lane of each target at each side; targets whose lines do not meet share one. */
function assignLanes(
  { edges }: RegionTask,
  rank: Ranked['rank'],
  places: ReadonlyMap<string, Point>,
): Readonly<Record<Side, ReadonlyMap<string, number>>> {
  const reach = { left: new Map<string, [number, number]>(), right: new Map<string, [number, number]>() }
  for (const { edge } of edges) {
    const span = rankOf(rank, edge.to) - rankOf(rank, edge.from)
    if (span === 1) continue
    const ys = [places.get(edge.from)?.y ?? 0, places.get(edge.to)?.y ?? 0]
    const [from, to] = reach[sideFor(span)].get(edge.to) ?? [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]
    reach[sideFor(span)].set(edge.to, [Math.min(from, ...ys), Math.max(to, ...ys)])
  }
  return { left: packLanes(reach.left), right: packLanes(reach.right) }
}

function packLanes(reach: ReadonlyMap<string, readonly [number, number]>): ReadonlyMap<string, number> {
  const ends: number[] = []
  const lanes = new Map<string, number>()
  for (const [target, [from, to]] of [...reach].sort(([, [a]], [, [b]]) => a - b)) {
    const free = ends.findIndex(end => end < from)
    const lane = free === -1 ? ends.length : free
    ends[lane] = to
    lanes.set(target, lane)
  }
  return lanes
}

function countLanes(lanes: ReadonlyMap<string, number>): number {
  return Math.max(-1, ...lanes.values()) + 1
}

function boxOf(task: RegionTask, places: ReadonlyMap<string, Point>, id: string) {
  return { ...(places.get(id) ?? { x: 0, y: 0 }), ...sizeOf(task, id) }
}

function sizeOf({ boxes }: RegionTask, id: string): { readonly width: number; readonly height: number } {
  return boxes.get(id) ?? { width: 0, height: 0 }
}

function rankOf(rank: ReadonlyMap<string, number>, id: string): number {
  return rank.get(id) ?? 0
}
