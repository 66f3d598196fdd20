import type { GraphNode } from './graph.ts'
import { statusIcons, typeIcons } from './icons.ts'
import { headerHeight, labelFontSize, nodeFontSize } from './layout.ts'
import type { PlacedNode } from './placement.ts'
import type { StateStatus } from './state-status.ts'
import { type SvgElement, svg } from './svg.ts'
import { fitText, textWidth } from './text-width.ts'

/** What became of a state: `undefined` draws the machine alone. */
export type ShownStatus = StateStatus | 'unreached' | undefined

export function isTerminal({ type }: GraphNode): boolean {
  return type === 'Start' || type === 'End'
}

/** The circle where a machine begins or ends. */
export function drawTerminal(placed: PlacedNode): SvgElement {
  const { node, width, height } = placed
  return svg(
    'g',
    { class: 'terminal', transform: placeOf(placed) },
    svg('circle', { cx: width / 2, cy: height / 2, r: width / 2 - 1 }),
    svg('text', { x: width / 2, y: height / 2 + 3.5 }, node.name),
  )
}

/** The box of a state, which is what is clicked and what a reader hears of. */
export function drawTarget(placed: PlacedNode, status: ShownStatus): SvgElement {
  const { node, width, height } = placed
  return svg(
    'g',
    { class: stateClass(node, status), transform: placeOf(placed) },
    svg(
      'g',
      { class: 'target', 'data-id': node.id },
      svg('title', {}, describeNode(node, status)),
      svg('rect', { class: 'box', width: Math.round(width), height: Math.round(height), rx: 6 }),
    ),
  )
}

/** What is written on the box. A reader hears the target's name, and not this too. */
export function drawFace(placed: PlacedNode, status: ShownStatus): SvgElement {
  return svg(
    'g',
    { class: `${stateClass(placed.node, status)} face`, transform: placeOf(placed), 'aria-hidden': 'true' },
    ...faceParts(placed, typeof status === 'object' ? status : undefined),
  )
}

export function stateClass({ type, regions }: GraphNode, status: ShownStatus): string {
  const name = typeof status === 'object' ? status.status : status
  const parts = ['state', type.toLowerCase(), regions.length > 0 && 'container', name && `is-${name}`]
  return parts.filter(Boolean).join(' ')
}

function placeOf({ x, y }: PlacedNode): string {
  return `translate(${Math.round(x)} ${Math.round(y)})`
}

function faceParts(
  { node, width }: PlacedNode,
  reached: StateStatus | undefined,
): (SvgElement | undefined)[] {
  const isContainer = node.regions.length > 0
  return [
    svg('path', {
      class: 'icon',
      transform: 'translate(10 13)',
      d: typeIcons[node.type] ?? typeIcons.Missing,
    }),
    svg('text', { class: 'name', x: 34, y: 19 }, fitText(node.name, nodeFontSize * 1.12, width - 62)),
    svg(
      'text',
      { class: 'detail', x: 34, y: 35 },
      fitText(node.type === 'Missing' ? 'does not exist' : node.detail, labelFontSize, width - 62),
    ),
    reached &&
      svg('path', {
        class: 'status',
        transform: `translate(${Math.round(width) - 24} 8)`,
        d: statusIcons[reached.status],
      }),
    isContainer && reached?.items ? drawProgress(reached, width) : undefined,
    node.maxRetries > 0 ? drawRetry(node, reached?.retries ?? 0, width, isContainer) : undefined,
  ]
}

/** What a screen reader says of a state. */
export function describeNode(node: GraphNode, status: ShownStatus): string {
  const parts = [
    node.name,
    node.detail && node.detail !== node.type ? `${node.type}, ${node.detail}` : node.type,
  ]
  if (node.type === 'Missing') parts.push('does not exist')
  if (status === 'unreached') parts.push('not reached')
  else if (status) {
    parts.push(status.status)
    if (status.visits > 1) parts.push(`${status.visits} visits`)
    if (status.retries > 0) parts.push(`retried ${status.retries} ${status.retries === 1 ? 'time' : 'times'}`)
    if (status.items) parts.push(progressText(status.items))
  }
  return parts.join(', ')
}

function progressText({ total, succeeded, failed }: NonNullable<StateStatus['items']>): string {
  return `${succeeded + failed} of ${total} items done${failed > 0 ? `, ${failed} failed` : ''}`
}

function drawProgress({ items }: StateStatus, width: number): SvgElement {
  const { total, succeeded, failed } = items ?? { total: 0, succeeded: 0, failed: 0 }
  const whole = Math.round(width) - 20
  const part = (count: number): number => (total === 0 ? 0 : Math.round((count / total) * whole))
  return svg(
    'g',
    { class: 'progress', transform: `translate(10 ${headerHeight + 2})` },
    svg('rect', { class: 'track', width: whole, height: 4, rx: 2 }),
    svg('rect', { class: 'done', width: part(succeeded), height: 4, rx: 2 }),
    svg('rect', { class: 'lost', x: part(succeeded), width: part(failed), height: 4, rx: 2 }),
    svg('text', { class: 'count', x: whole, y: -9 }, `${succeeded + failed}/${total}`),
  )
}

/** The loop of retries at the right edge: how many there may be, and how many there were. */
function drawRetry(node: GraphNode, retries: number, width: number, isContainer: boolean): SvgElement {
  const text = retries > 0 ? `↻ ${retries}` : `↻ ${node.maxRetries}`
  const boxWidth = Math.round(textWidth(text, 10) + 12)
  const y = isContainer ? headerHeight - 8 : 38
  return svg(
    'g',
    {
      class: retries > 0 ? 'retry was-retried' : 'retry',
      transform: `translate(${Math.round(width) - boxWidth - 8} ${y})`,
    },
    svg('rect', { width: boxWidth, height: 15, rx: 7.5 }),
    svg('text', { x: boxWidth / 2, y: 11 }, text),
  )
}
