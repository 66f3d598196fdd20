import type { StateMachine } from '@stepwright/asl'
import { allNodes, type GraphNode, type GraphRegion, toGraph } from './graph.ts'
import { edgeLabel } from './layout.ts'
import { statusOfStates } from './state-status.ts'
import { createVisitReader, type GraphEvent } from './visits.ts'

const classes = {
  succeeded: 'fill:#e6f6ea,stroke:#1a7f37,color:#1f2328',
  failed: 'fill:#ffebe9,stroke:#cf222e,color:#1f2328',
  caught: 'fill:#fff5d6,stroke:#8a5a00,color:#1f2328',
  running: 'fill:#e3f1ff,stroke:#0969da,color:#1f2328',
  cancelled: 'fill:#f6f8fa,stroke:#6e7781,color:#1f2328',
} as const

/** A state machine, and an execution of it if there is one, as a Mermaid flowchart. */
export function drawMermaid(definition: StateMachine, history?: readonly GraphEvent[]): string {
  const keys = new Map<string, string>()
  const keyOf = (id: string): string => {
    const key = keys.get(id) ?? `s${keys.size}`
    keys.set(id, key)
    return key
  }
  const graph = toGraph(definition)
  const lines = ['flowchart TD', ...regionLines(graph, keyOf, '  ')]
  if (history) lines.push(...statusLines(graph, history, keyOf))
  return `${lines.join('\n')}\n`
}

function regionLines({ nodes, edges }: GraphRegion, keyOf: (id: string) => string, indent: string): string[] {
  return [
    ...nodes.flatMap(node => nodeLines(node, keyOf, indent)),
    ...edges.map(edge => {
      const label = edge.label ? `|"${quoted(edgeLabel(edge))}"|` : ''
      return `${indent}${keyOf(edge.from)} ${edge.kind === 'catch' ? '-.->' : '-->'}${label} ${keyOf(edge.to)}`
    }),
  ]
}

function nodeLines(node: GraphNode, keyOf: (id: string) => string, indent: string): string[] {
  const key = keyOf(node.id)
  const name = quoted(node.name)
  if (node.regions.length > 0) {
    return [
      `${indent}subgraph ${key}["${name}"]`,
      ...node.regions.flatMap(region => regionLines(region, keyOf, `${indent}  `)),
      `${indent}end`,
    ]
  }
  if (node.type === 'Start' || node.type === 'End') return [`${indent}${key}(["${name}"])`]
  return [node.type === 'Choice' ? `${indent}${key}{"${name}"}` : `${indent}${key}["${name}"]`]
}

function statusLines(
  graph: GraphRegion,
  history: readonly GraphEvent[],
  keyOf: (id: string) => string,
): string[] {
  const reader = createVisitReader()
  reader.add(history)
  const states = statusOfStates(reader.visits)
  const marked = allNodes(graph).flatMap(({ id, name }) => {
    const status = states.get(name)?.status
    return status === undefined ? [] : [`  class ${keyOf(id)} ${status}`]
  })
  return [...Object.entries(classes).map(([name, style]) => `  classDef ${name} ${style}`), ...marked]
}

/** Mermaid reads entities, written with `#`; quotes, backticks and markup would mean something to it. */
function quoted(text: string): string {
  return text
    .replaceAll(/["#&<>\\`]/g, character => `#${character.charCodeAt(0)};`)
    .replaceAll(/[\r\n]+/g, ' ')
}
