import '@stepwright/asl-graph/define'
import type { StateMachine } from '@stepwright/asl'
import type { MapItems } from '@stepwright/asl-graph'
import type { AslGraphElement } from '@stepwright/asl-graph/element'
import { useEffect, useRef } from 'preact/hooks'
import type { LightEvent, MapRunDescription } from '../../src/protocol.ts'

interface GraphProps {
  readonly definition: StateMachine
  readonly label: string
  /** Grows at its end. */
  readonly events?: readonly LightEvent[]
  readonly version?: number
  readonly mapRuns?: readonly MapRunDescription[]
  readonly findings?: Readonly<Record<string, number>>
  readonly selected?: string | undefined
  readonly onSelect?: (state: { readonly id: string; readonly name: string }) => void
  readonly onIteration?: (map: string, iteration: number | undefined) => void
}

/** The custom element, fed with what is new only. */
export function Graph({
  definition,
  label,
  events,
  version,
  mapRuns,
  findings,
  selected,
  onSelect,
  onIteration,
}: GraphProps) {
  const host = useRef<HTMLDivElement>(null)
  const graph = useRef<AslGraphElement | undefined>(undefined)
  const fed = useRef(0)
  const handlers = useRef({ onSelect, onIteration })
  handlers.current = { onSelect, onIteration }
  useEffect(() => {
    const element = document.createElement('asl-graph') as AslGraphElement
    element.setAttribute('label', label)
    element.addEventListener('stateselect', event =>
      handlers.current.onSelect?.((event as CustomEvent).detail),
    )
    element.addEventListener('iterationselect', event => {
      const { map, iteration } = (event as CustomEvent).detail
      handlers.current.onIteration?.(map, iteration)
    })
    host.current?.replaceChildren(element)
    graph.current = element
    element.definition = definition
    fed.current = events?.length ?? 0
    if (events) element.history = events
  }, [definition])
  useEffect(() => {
    const fresh = events?.slice(fed.current) ?? []
    fed.current += fresh.length
    if (fresh.length > 0) graph.current?.appendHistory(fresh)
  }, [events, version])
  useEffect(() => {
    if (graph.current && mapRuns && mapRuns.length > 0)
      graph.current.mapRuns = Object.fromEntries(mapRuns.map(({ arn, items }) => [arn, items as MapItems]))
  }, [mapRuns, definition])
  useEffect(() => {
    if (graph.current && findings) graph.current.findings = findings
  }, [findings, definition])
  useEffect(() => {
    if (graph.current) graph.current.selected = selected
  }, [selected, definition])
  return <div ref={host} class="graph" />
}
