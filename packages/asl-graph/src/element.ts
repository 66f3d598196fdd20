/// <reference lib="dom" preserve="true" />
/// <reference lib="dom.iterable" preserve="true" />
import type { StateMachine } from '@stepwright/asl'
import { createStatusOf, drawContent, drawLayout, type Overlay, overlayOf } from './draw.ts'
import { describeNode } from './draw-node.ts'
import { elementStyle } from './element-style.ts'
import { allNodes, type GraphNode, type GraphRegion, toGraph } from './graph.ts'
import { layoutGraph } from './layout.ts'
import type { Layout, PlacedNode } from './placement.ts'
import { graphStyle } from './style.ts'
import { toSvgText } from './svg.ts'
import { toDom } from './svg-dom.ts'
import { createVisitReader, type GraphEvent, type MapItems, type VisitReader } from './visits.ts'

/** What `stateselect` tells. */
export interface StateSelection {
  /** A JSON Pointer into the definition. */
  readonly id: string
  readonly name: string
}

const minZoom = 0.1
/** So small, names can still be read: a picture that is larger begins at its top. */
const minLegible = 0.62
const maxZoom = 2.5

/** A server that renders pages loads this module too, and has no elements. */
const ElementHere: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/**
 * `<asl-graph>`: a state machine, with an execution laid over it. Set `definition` and, if there is one, `history`;
 * listen to `stateselect` and `iterationselect`. It draws with DOM calls only: no markup is parsed, no style attribute
 * is set, so that it works under a strict content policy and nothing in a definition can become code.
 */
export class AslGraphElement extends ElementHere {
  static readonly observedAttributes: readonly string[] = ['definition', 'label']
  #definition: StateMachine | undefined
  #graph: GraphRegion = { nodes: [], edges: [] }
  #layout: Layout = { width: 0, height: 0, nodes: [], edges: [] }
  #reader: VisitReader | undefined
  #mapRuns: Readonly<Record<string, MapItems>> = {}
  #iterations = new Map<string, number>()
  #selected: string | undefined
  #findings: Readonly<Record<string, number>> = {}
  #zoom = 1
  #isFitted = true
  #least = minLegible
  readonly #root: ShadowRoot
  readonly #viewport: HTMLElement
  readonly #picture: SVGSVGElement
  readonly #picker: HTMLElement
  readonly #drawn = new Map<string, SVGElement>()
  readonly #resized: ResizeObserver

  constructor() {
    super()
    this.#root = this.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(graphStyle + elementStyle)
    this.#root.adoptedStyleSheets = [sheet]
    this.#viewport = document.createElement('div')
    this.#viewport.className = 'viewport asl-graph'
    this.#picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    this.#picture.setAttribute('role', 'group')
    this.#viewport.append(this.#picture)
    this.#picker = document.createElement('div')
    this.#picker.className = 'picker'
    this.#root.append(this.#viewport, this.#picker, this.#toolbar())
    this.#listen()
    this.#resized = new ResizeObserver(() => this.#isFitted && this.#fit())
  }

  connectedCallback(): void {
    this.#resized.observe(this.#viewport)
    this.#begin()
  }

  disconnectedCallback(): void {
    this.#resized.disconnect()
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    if (name === 'definition' && value !== null) this.definition = JSON.parse(value) as StateMachine
    if (name === 'label') this.#name()
  }

  get definition(): StateMachine | undefined {
    return this.#definition
  }

  set definition(definition: StateMachine | undefined) {
    this.#definition = definition
    this.#graph = definition ? toGraph(definition) : { nodes: [], edges: [] }
    this.#layout = layoutGraph(this.#graph)
    this.#isFitted = true
    this.#draw()
    this.#begin()
  }

  /** All events of the execution so far, in order; `undefined` shows the machine alone. */
  set history(events: readonly GraphEvent[] | undefined) {
    this.#reader = events && createVisitReader()
    this.#iterations.clear()
    if (events) this.#reader?.add(events)
    this.#draw()
  }

  /** Adds events to `history`. */
  appendHistory(events: readonly GraphEvent[]): void {
    this.#reader ??= createVisitReader()
    this.#reader.add(events)
    this.#draw()
  }

  /** The counts of Distributed Maps, which are not in the history, by the ARN of their run. */
  set mapRuns(counts: Readonly<Record<string, MapItems>>) {
    this.#mapRuns = counts
    this.#draw()
  }

  /** How many findings of the checker each state has, by its JSON Pointer. */
  set findings(counts: Readonly<Record<string, number>>) {
    this.#findings = counts
    this.#draw()
  }

  /** The JSON Pointer of the state that is selected. */
  get selected(): string | undefined {
    return this.#selected
  }

  set selected(id: string | undefined) {
    const before = this.#selected
    this.#selected = id
    for (const each of [before, id]) this.#mark(each)
  }

  /** The whole picture in the window, not enlarged. */
  fit(): void {
    this.#least = minZoom
    this.#fit()
  }

  /** At the start, where it can be read. */
  #begin(): void {
    this.#least = minLegible
    this.#fit()
    const start = this.#layout.nodes[0]
    this.#viewport.scrollTop = 0
    if (start) this.#viewport.scrollLeft = middleX(start) * this.#zoom - this.#viewport.clientWidth / 2
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.#viewport
    if (clientWidth === 0 || this.#layout.width === 0) return
    const whole = Math.min(clientWidth / this.#layout.width, clientHeight / this.#layout.height)
    this.#setZoom(Math.min(1, Math.max(this.#least, whole)))
    this.#isFitted = true
  }

  zoomBy(factor: number): void {
    this.#setZoom(this.#zoom * factor)
    this.#isFitted = false
  }

  /** The picture as an SVG document that needs nothing else. */
  toSvg(): string {
    return toSvgText(drawLayout(this.#layout, this.#overlay(), this.getAttribute('label') ?? 'State machine'))
  }

  /** The picture as PNG, twice as large, in the colours of the page. */
  async toPng(): Promise<Blob> {
    const url = URL.createObjectURL(new Blob([this.toSvg()], { type: 'image/svg+xml' }))
    try {
      const image = new Image()
      image.src = url
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = this.#layout.width * 2
      canvas.height = this.#layout.height * 2
      canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
      return await new Promise((resolve, reject) =>
        canvas.toBlob(blob =>
          blob ? resolve(blob) : reject(new Error('The picture is too large for PNG.')),
        ),
      )
    } finally {
      URL.revokeObjectURL(url)
    }
  }

  #overlay(): Overlay | undefined {
    if (this.#reader === undefined) return undefined
    for (const visit of this.#reader.visits) {
      const counts = visit.mapRunArn === undefined ? undefined : this.#mapRuns[visit.mapRunArn]
      if (counts) visit.items = counts
    }
    return overlayOf(this.#reader.visits, this.#iterations)
  }

  #draw(): void {
    const overlay = this.#overlay()
    const focused = stateAt(this.#root.activeElement)
    this.#picture.replaceChildren(toDom(drawContent(this.#layout, overlay)))
    this.#picture.setAttribute('class', overlay ? 'asl-graph with-execution' : 'asl-graph')
    this.#picture.setAttribute(
      'viewBox',
      `0 0 ${Math.ceil(this.#layout.width)} ${Math.ceil(this.#layout.height)}`,
    )
    this.#name()
    this.#drawn.clear()
    for (const element of this.#picture.querySelectorAll<SVGElement>('[data-id]')) {
      this.#drawn.set(element.dataset['id'] ?? '', element)
    }
    const first = this.#layout.nodes.find(isState)?.node.id
    const statusOf = createStatusOf(this.#layout, overlay)
    for (const { node } of this.#layout.nodes) {
      const element = this.#drawn.get(node.id)
      if (!element) continue
      const findings = this.#findings[node.id] ?? 0
      const status = statusOf(node)
      element.setAttribute('role', 'button')
      element.setAttribute('tabindex', node.id === (this.#selected ?? first) ? '0' : '-1')
      element.setAttribute(
        'aria-label',
        describeNode(node, status) + (findings > 0 ? `, ${findings} findings` : ''),
      )
      element.classList.toggle('has-findings', findings > 0)
      this.#mark(node.id)
    }
    this.#drawPicker()
    // What is drawn anew loses the focus, and somebody may be on the way with the keyboard.
    if (focused !== undefined) this.#drawn.get(focused)?.focus({ preventScroll: true })
  }

  #mark(id: string | undefined): void {
    const element = id === undefined ? undefined : this.#drawn.get(id)
    if (!element) return
    const isSelected = id === this.#selected
    element.classList.toggle('is-selected', isSelected)
    element.setAttribute('aria-pressed', String(isSelected))
  }

  #name(): void {
    this.#picture.setAttribute('aria-label', this.getAttribute('label') ?? 'State machine')
  }

  #setZoom(zoom: number, atX = this.#viewport.clientWidth / 2, atY = this.#viewport.clientHeight / 2): void {
    const { scrollLeft, scrollTop } = this.#viewport
    const next = Math.min(maxZoom, Math.max(minZoom, zoom))
    const factor = next / this.#zoom
    this.#zoom = next
    this.#picture.setAttribute('width', String(Math.floor(this.#layout.width * next)))
    this.#picture.setAttribute('height', String(Math.floor(this.#layout.height * next)))
    this.#viewport.scrollLeft = (scrollLeft + atX) * factor - atX
    this.#viewport.scrollTop = (scrollTop + atY) * factor - atY
  }

  /** A field for each Map with iterations: empty shows all of them. */
  #drawPicker(): void {
    const maps = new Map<string, number>()
    for (const { name, items, mapRunArn } of this.#reader?.visits ?? []) {
      if (items && items.total > 1 && mapRunArn === undefined) maps.set(name, items.total)
    }
    const isSame = this.#picker.dataset['maps'] === JSON.stringify([...maps])
    if (isSame) return
    this.#picker.dataset['maps'] = JSON.stringify([...maps])
    this.#picker.replaceChildren(
      ...[...maps].map(([name, total]) => {
        const label = document.createElement('label')
        const field = document.createElement('input')
        field.type = 'number'
        field.min = '0'
        field.max = String(total - 1)
        field.placeholder = 'all'
        field.addEventListener('input', () => this.#pick(name, field.value))
        label.append(`${name} iteration`, field, `of 0–${total - 1}`)
        return label
      }),
    )
  }

  #pick(map: string, value: string): void {
    if (value === '') this.#iterations.delete(map)
    else this.#iterations.set(map, Number(value))
    this.#draw()
    this.dispatchEvent(
      new CustomEvent('iterationselect', { detail: { map, iteration: this.#iterations.get(map) } }),
    )
  }

  #select(id: string): void {
    const node = this.#layout.nodes.find(placed => placed.node.id === id)?.node
    if (node === undefined) return
    this.selected = id
    const detail: StateSelection = { id, name: node.name }
    this.dispatchEvent(new CustomEvent('stateselect', { detail, bubbles: true, composed: true }))
  }

  #toolbar(): HTMLElement {
    const bar = document.createElement('div')
    bar.className = 'toolbar'
    bar.setAttribute('role', 'toolbar')
    bar.setAttribute('aria-label', 'Picture')
    const button = (text: string, label: string, act: () => void): HTMLElement => {
      const made = document.createElement('button')
      made.type = 'button'
      made.textContent = text
      made.title = label
      made.setAttribute('aria-label', label)
      made.addEventListener('click', act)
      return made
    }
    bar.append(
      button('−', 'Zoom out', () => this.zoomBy(1 / 1.25)),
      button('+', 'Zoom in', () => this.zoomBy(1.25)),
      button('Fit', 'Fit into the window', () => this.fit()),
      button('SVG', 'Save as SVG', () =>
        save(new Blob([this.toSvg()], { type: 'image/svg+xml' }), 'graph.svg'),
      ),
      button('PNG', 'Save as PNG', () => void this.toPng().then(blob => save(blob, 'graph.png'))),
    )
    return bar
  }

  #listen(): void {
    let dragged: { readonly x: number; readonly y: number; isMoved: boolean } | undefined
    this.#viewport.addEventListener('pointerdown', event => {
      if (event.button === 0 && event.pointerType === 'mouse')
        dragged = { x: event.clientX, y: event.clientY, isMoved: false }
    })
    this.#viewport.addEventListener('pointermove', event => {
      if (!dragged) return
      if (!dragged.isMoved && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < 4) return
      if (!dragged.isMoved) this.#viewport.setPointerCapture(event.pointerId)
      dragged.isMoved = true
      this.#viewport.scrollLeft -= event.movementX
      this.#viewport.scrollTop -= event.movementY
    })
    this.#viewport.addEventListener('pointerup', () => {
      dragged = undefined
    })
    this.#viewport.addEventListener(
      'wheel',
      event => {
        if (!event.ctrlKey && !event.metaKey) return
        event.preventDefault()
        const { left, top } = this.#viewport.getBoundingClientRect()
        this.#setZoom(this.#zoom * 0.998 ** event.deltaY, event.clientX - left, event.clientY - top)
        this.#isFitted = false
      },
      { passive: false },
    )
    this.#picture.addEventListener('click', event => {
      const id = stateAt(event.target)
      if (id !== undefined) this.#select(id)
    })
    this.#picture.addEventListener('keydown', event => this.#onKey(event))
  }

  #onKey(event: KeyboardEvent): void {
    const id = stateAt(event.target)
    const act: Readonly<Record<string, (() => void) | undefined>> = {
      Enter: () => id !== undefined && this.#select(id),
      ' ': () => id !== undefined && this.#select(id),
      '+': () => this.zoomBy(1.25),
      '-': () => this.zoomBy(1 / 1.25),
      '0': () => this.fit(),
      ArrowDown: () => this.#move(id, 0, 1),
      ArrowUp: () => this.#move(id, 0, -1),
      ArrowRight: () => this.#move(id, 1, 0),
      ArrowLeft: () => this.#move(id, -1, 0),
      Home: () => this.#focus(this.#layout.nodes.find(isState)),
      End: () => this.#focus(this.#layout.nodes.findLast(isState)),
    }
    const chosen = act[event.key]
    if (chosen === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    chosen()
  }

  /** To the nearest state in that direction. */
  #move(id: string | undefined, toX: number, toY: number): void {
    const from = this.#layout.nodes.find(({ node }) => node.id === id)
    if (from === undefined) return
    let best: { readonly placed: PlacedNode; readonly cost: number } | undefined
    for (const placed of this.#layout.nodes) {
      if (placed === from || !isState(placed)) continue
      const [x, y] = [middleX(placed) - middleX(from), placed.y - from.y]
      const along = x * toX + y * toY
      const across = Math.abs(x * toY) + Math.abs(y * toX)
      if (along <= 1) continue
      const cost = along + 2 * across
      if (best === undefined || cost < best.cost) best = { placed, cost }
    }
    this.#focus(best?.placed)
  }

  #focus(placed: PlacedNode | undefined): void {
    const element = placed && this.#drawn.get(placed.node.id)
    if (!element) return
    for (const other of this.#drawn.values()) other.setAttribute('tabindex', '-1')
    element.setAttribute('tabindex', '0')
    element.focus()
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  /** Every state of the machine, in the order in which it is reached. */
  get states(): readonly GraphNode[] {
    return allNodes(this.#graph).filter(({ type }) => type !== 'Start' && type !== 'End')
  }
}

function isState({ node }: PlacedNode): boolean {
  return node.type !== 'Start' && node.type !== 'End'
}

function middleX({ x, width }: PlacedNode): number {
  return x + width / 2
}

function stateAt(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<SVGElement>('[data-id]')?.dataset['id'] : undefined
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
