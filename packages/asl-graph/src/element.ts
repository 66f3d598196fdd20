/// <reference lib="dom" preserve="true" />
/// <reference lib="dom.iterable" preserve="true" />
import type { StateMachine } from '@stepwright/asl'
import { drawLayout, type Overlay, overlayOf } from './draw.ts'
import { isTerminal } from './draw-node.ts'
import { elementStyle } from './element-style.ts'
import { allNodes, type GraphNode, type GraphRegion, toGraph } from './graph.ts'
import { createIterationPicker, type IterationPicker } from './iteration-picker.ts'
import { layoutGraph } from './layout.ts'
import { type Direction, middleX, nearestState } from './nearest-state.ts'
import { createPicture, type Picture } from './picture.ts'
import type { Layout, PlacedNode } from './placement.ts'
import { graphStyle } from './style.ts'
import { toSvgText } from './svg.ts'
import { toPng } from './to-png.ts'
import { createToolbar } from './toolbar.ts'
import { createViewport, type Viewport } from './viewport.ts'
import { createVisitReader, type GraphEvent, type MapItems, type VisitReader } from './visits.ts'

/** What `stateselect` tells. */
export interface StateSelection {
  /** A JSON Pointer into the definition. */
  readonly id: string
  readonly name: string
}

/** A server that renders pages loads this module too, and has no elements. */
const ElementHere: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

const directions: Readonly<Record<string, Direction>> = {
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
}

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
  #unobserve: (() => void) | undefined
  readonly #viewport: Viewport
  readonly #picture: Picture
  readonly #picker: IterationPicker

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(graphStyle + elementStyle)
    root.adoptedStyleSheets = [sheet]
    this.#picture = createPicture()
    this.#viewport = createViewport(this.#picture.element, view => this.#picture.setView(view))
    this.#picker = createIterationPicker((map, iteration) => this.#pick(map, iteration))
    root.append(this.#viewport.element, this.#picker.element, createToolbar(this))
    this.#picture.element.addEventListener('click', event => this.#select(stateAt(event.target)))
    this.#picture.element.addEventListener('keydown', event => this.#onKey(event))
    this.#name()
  }

  connectedCallback(): void {
    this.#unobserve = this.#viewport.observe()
    this.#begin()
  }

  disconnectedCallback(): void {
    this.#unobserve?.()
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
    this.#picture.setLayout(this.#layout)
    this.#picture.setTabStop(this.#selected ?? this.#layout.nodes.find(isState)?.node.id)
    this.#begin()
  }

  /** All events of the execution so far, in order; `undefined` shows the machine alone. */
  set history(events: readonly GraphEvent[] | undefined) {
    this.#reader = events && createVisitReader()
    this.#iterations.clear()
    this.#picker.setMaps(new Map())
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
    this.#selected = id
    this.#picture.select(id)
    if (id !== undefined) this.#picture.setTabStop(id)
  }

  /** The whole picture in the window, not enlarged. */
  fit(): void {
    this.#viewport.fit()
  }

  zoomBy(factor: number): void {
    this.#viewport.zoomBy(factor)
  }

  /** The picture as an SVG document that needs nothing else. */
  toSvg(): string {
    return toSvgText(drawLayout(this.#layout, this.#overlay(), this.#title()))
  }

  /** The picture as PNG, twice as large if that can be, in the colours of the page. */
  toPng(): Promise<Blob> {
    return toPng(this.toSvg(), this.#layout.width, this.#layout.height)
  }

  /** Every state of the machine, in the order in which it is reached. */
  get states(): readonly GraphNode[] {
    return allNodes(this.#graph).filter(node => !isTerminal(node))
  }

  #begin(): void {
    const { width, height, nodes } = this.#layout
    this.#viewport.begin(width, height, nodes[0] ? middleX(nodes[0]) : 0)
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
    this.#picture.setContent({ overlay: this.#overlay(), findings: this.#findings })
    const maps = new Map<string, number>()
    for (const { name, items, mapRunArn } of this.#reader?.visits ?? []) {
      if (items && items.total > 1 && mapRunArn === undefined) maps.set(name, items.total)
    }
    this.#picker.setMaps(maps)
  }

  #title(): string {
    return this.getAttribute('label') ?? 'State machine'
  }

  #name(): void {
    this.#picture.element.setAttribute('aria-label', this.#title())
  }

  #pick(map: string, iteration: number | undefined): void {
    if (iteration === undefined) this.#iterations.delete(map)
    else this.#iterations.set(map, iteration)
    this.#draw()
    this.dispatchEvent(new CustomEvent('iterationselect', { detail: { map, iteration } }))
  }

  #select(id: string | undefined): void {
    const node = this.#find(id)?.node
    if (node === undefined) return
    this.selected = node.id
    const detail: StateSelection = { id: node.id, name: node.name }
    this.dispatchEvent(new CustomEvent('stateselect', { detail, bubbles: true, composed: true }))
  }

  #onKey(event: KeyboardEvent): void {
    const id = stateAt(event.target)
    const act: Readonly<Record<string, (() => void) | undefined>> = {
      Enter: () => this.#select(id),
      ' ': () => this.#select(id),
      '+': () => this.zoomBy(1.25),
      '-': () => this.zoomBy(1 / 1.25),
      '0': () => this.fit(),
      Home: () => this.#focus(this.#layout.nodes.find(isState)),
      End: () => this.#focus(this.#layout.nodes.findLast(isState)),
    }
    const direction = directions[event.key]
    const chosen = direction ? () => this.#move(id, direction) : act[event.key]
    if (chosen === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    chosen()
  }

  #move(id: string | undefined, direction: Direction): void {
    const from = this.#find(id)
    if (from) this.#focus(nearestState(this.#layout.nodes, from, direction))
  }

  #focus(placed: PlacedNode | undefined): void {
    const target = placed && this.#picture.targetOf(placed.node.id)
    if (!target) return
    this.#picture.setTabStop(placed.node.id)
    target.focus()
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  #find(id: string | undefined): PlacedNode | undefined {
    return id === undefined ? undefined : this.#layout.nodes.find(({ node }) => node.id === id)
  }
}

function isState({ node }: PlacedNode): boolean {
  return !isTerminal(node)
}

function stateAt(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<SVGElement>('[data-id]')?.dataset['id'] : undefined
}
