import type {
  Catcher,
  ChoiceRule,
  Retrier,
  State,
  StateMachine,
  StateType,
  SubMachine,
} from '@stepwright/asl'
import { conditionText } from './condition-text.ts'
import { detailText } from './detail-text.ts'

/** A state, or what stands around them. */
export interface GraphNode {
  /** Where the state is in the definition, as a JSON Pointer: `/States/Import/ItemProcessor/States/Write`. */
  readonly id: string
  readonly name: string
  /** `Missing` stands for a state that the definition leads to and does not have, `Unknown` for one of no known type. */
  readonly type: StateType | 'Start' | 'End' | 'Missing' | 'Unknown'
  /** What it calls, waits for or raises; may be empty. */
  readonly detail: string
  /** How often it may be tried again, all retriers together. */
  readonly maxRetries: number
  /** What runs inside: the iterations of a Map, the branches of a Parallel. */
  readonly regions: readonly GraphRegion[]
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly kind: 'next' | 'choice' | 'default' | 'catch'
  /** The condition of a choice, the errors of a catcher. */
  readonly label: string
}

/** States among which one leads to another: a machine, a branch, an iteration. */
export interface GraphRegion {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

/** Reads what is to be drawn from a definition. A draft will do: whatever is missing is shown as missing. */
export function toGraph(definition: StateMachine): GraphRegion {
  const inner = toRegion(definition, '')
  const first = inner.nodes[0]
  if (first === undefined) return inner
  const start = plainNode('/start', 'Start', 'Start')
  const end = plainNode('/end', 'End', 'End')
  const states = new Map(Object.entries(definition.States ?? {}))
  const toEnd = inner.nodes
    .filter(({ name, type }) => type === 'Succeed' || (states.get(name) as { End?: unknown })?.End === true)
    .map(({ id }): GraphEdge => ({ from: id, to: end.id, kind: 'next', label: '' }))
  return {
    nodes: [start, ...inner.nodes, ...(toEnd.length > 0 ? [end] : [])],
    edges: [{ from: start.id, to: first.id, kind: 'next', label: '' }, ...inner.edges, ...toEnd],
  }
}

/** All nodes, those inside others too, each before what is inside it. */
export function allNodes({ nodes }: GraphRegion): GraphNode[] {
  return nodes.flatMap(node => [node, ...node.regions.flatMap(allNodes)])
}

/** In the order in which states are reached, so that what comes first is drawn first. */
function toRegion(machine: SubMachine | undefined, path: string): GraphRegion {
  const states = new Map<string, State>(
    Object.entries(machine?.States ?? {}).filter(([, state]) => typeof state === 'object' && state !== null),
  )
  const nodes = new Map<string, GraphNode>()
  const edges: GraphEdge[] = []
  const visit = (name: string): void => {
    const pending = [name]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const id = pointer(path, next)
      if (nodes.has(id)) continue
      const state = states.get(next)
      nodes.set(id, state ? stateNode(next, state, id) : plainNode(id, next, 'Missing'))
      const leads = state ? transitions(state) : []
      for (const { to, kind, label } of leads) edges.push({ from: id, to: pointer(path, to), kind, label })
      pending.push(...leads.map(({ to }) => to).reverse())
    }
  }
  if (typeof machine?.StartAt === 'string') visit(machine.StartAt)
  for (const name of states.keys()) visit(name)
  return { nodes: [...nodes.values()], edges }
}

const stateTypes: ReadonlySet<string> = new Set<StateType>([
  'Task',
  'Pass',
  'Choice',
  'Wait',
  'Succeed',
  'Fail',
  'Parallel',
  'Map',
])

function stateNode(name: string, state: State, id: string): GraphNode {
  const { Retry = [] } = state as { Retry?: readonly Retrier[] }
  return {
    id,
    name,
    type: stateTypes.has(state.Type) ? state.Type : 'Unknown',
    detail: detailText(state),
    maxRetries: objectsIn(Retry).reduce((sum, { MaxAttempts = 3 }) => sum + (Number(MaxAttempts) || 0), 0),
    regions: regionsOf(state, id),
  }
}

function regionsOf(state: State, id: string): readonly GraphRegion[] {
  if (state.Type === 'Parallel') {
    return asArray(state.Branches).map((branch, index) => toRegion(branch, `${id}/Branches/${index}`))
  }
  if (state.Type !== 'Map') return []
  if (state.ItemProcessor) return [toRegion(state.ItemProcessor, `${id}/ItemProcessor`)]
  return state.Iterator ? [toRegion(state.Iterator, `${id}/Iterator`)] : []
}

type Lead = Omit<GraphEdge, 'from'>

function transitions(state: State): readonly Lead[] {
  const { Next, Catch = [] } = state as { Next?: string; Catch?: readonly Catcher[] }
  const leads: Lead[] = []
  if (state.Type === 'Choice') {
    for (const rule of objectsIn<ChoiceRule>(state.Choices)) {
      leads.push({ to: rule.Next, kind: 'choice', label: conditionText(rule) })
    }
    if (typeof state.Default === 'string')
      leads.push({ to: state.Default, kind: 'default', label: 'default' })
  }
  if (typeof Next === 'string') leads.push({ to: Next, kind: 'next', label: '' })
  for (const { ErrorEquals, Next: to } of objectsIn(Catch)) {
    leads.push({ to, kind: 'catch', label: asArray(ErrorEquals).join(', ') })
  }
  return leads.filter(({ to }) => typeof to === 'string')
}

function plainNode(id: string, name: string, type: GraphNode['type']): GraphNode {
  return { id, name, type, detail: '', maxRetries: 0, regions: [] }
}

function pointer(path: string, name: string): string {
  return `${path}/States/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function asArray<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value : []
}

function objectsIn<T>(value: readonly T[] | undefined): readonly T[] {
  return asArray(value).filter(item => typeof item === 'object' && item !== null)
}
