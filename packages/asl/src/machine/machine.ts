import { stateTypes } from '../facts/states.ts'
import { isArray, isObject } from '../json.ts'
import type { Json, JsonObject, QueryLanguage, StateType } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'

/** One level of states: the machine itself, a Parallel's branch, or a Map's item processor. */
export interface Scope {
  readonly kind: 'machine' | 'branch' | 'inline' | 'distributed'
  readonly pointer: Pointer
  readonly startAt: string
  readonly states: ReadonlyMap<string, StateNode>
  /** The Parallel or Map that the scope belongs to. */
  readonly owner?: StateNode
}

export interface StateNode {
  readonly name: string
  readonly type: StateType
  readonly pointer: Pointer
  readonly scope: Scope
  readonly language: QueryLanguage
  readonly fields: JsonObject
  readonly retriers: readonly Handler[]
  readonly catchers: readonly CatchHandler[]
  readonly inner: readonly Scope[]
  readonly edges: readonly Edge[]
  /** `true` when the execution, branch or iteration can end here as a success. */
  readonly ends: boolean
}

/** A retrier or a catcher. */
export interface Handler {
  readonly pointer: Pointer
  readonly errors: readonly string[]
  readonly fields: JsonObject
}

export interface CatchHandler extends Handler {
  readonly next: string
}

/** A way from one state to another. */
export interface Edge {
  readonly kind: 'next' | 'choice' | 'default' | 'catch'
  readonly to: string
  /** The choice's or catcher's number, from 0. */
  readonly index: number
  readonly pointer: Pointer
}

/** What is well-formed of a definition; what is not was reported as invalid and is left out. */
export function buildMachine(definition: Json): Scope | undefined {
  if (!isObject(definition)) return undefined
  const language = definition['QueryLanguage'] === 'JSONata' ? 'JSONata' : 'JSONPath'
  return buildScope(definition, [], 'machine', language, undefined)
}

function buildScope(
  fields: JsonObject,
  pointer: Pointer,
  kind: Scope['kind'],
  language: QueryLanguage,
  owner: StateNode | undefined,
): Scope | undefined {
  const states = fields['States']
  if (typeof fields['StartAt'] !== 'string' || !isObject(states)) return undefined
  const nodes = new Map<string, StateNode>()
  const scope: Scope = { kind, pointer, startAt: fields['StartAt'], states: nodes, ...(owner && { owner }) }
  for (const [name, state] of Object.entries(states)) {
    if (!isObject(state) || !stateTypes.includes(state['Type'] as StateType)) continue
    nodes.set(name, buildState(name, state, under(pointer, 'States', name), scope, language))
  }
  return scope
}

function buildState(
  name: string,
  fields: JsonObject,
  pointer: Pointer,
  scope: Scope,
  machineLanguage: QueryLanguage,
): StateNode {
  const type = fields['Type'] as StateType
  const own = fields['QueryLanguage']
  const catchers = handlersOf(fields, 'Catch', pointer).flatMap((handler): CatchHandler[] => {
    const next = handler.fields['Next']
    return typeof next === 'string' ? [{ ...handler, next }] : []
  })
  const inner: Scope[] = []
  const node: StateNode = {
    name,
    type,
    pointer,
    scope,
    language: own === 'JSONata' || own === 'JSONPath' ? own : machineLanguage,
    fields,
    retriers: handlersOf(fields, 'Retry', pointer),
    catchers,
    inner,
    edges: edgesOf(type, fields, pointer, catchers),
    ends: type === 'Succeed' || fields['End'] === true,
  }
  for (const [machine, at, kind] of innerMachines(type, fields, pointer)) {
    const built = isObject(machine) ? buildScope(machine, at, kind, machineLanguage, node) : undefined
    if (built !== undefined) inner.push(built)
  }
  return node
}

function handlersOf(state: JsonObject, field: 'Retry' | 'Catch', pointer: Pointer): Handler[] {
  const value = state[field]
  if (!isArray(value)) return []
  return value.flatMap((fields, index): Handler[] => {
    const errors = isObject(fields) ? fields['ErrorEquals'] : undefined
    return isObject(fields) && isArray(errors) && errors.every(name => typeof name === 'string')
      ? [{ pointer: under(pointer, field, index), errors, fields }]
      : []
  })
}

function edgesOf(
  type: StateType,
  fields: JsonObject,
  pointer: Pointer,
  catchers: readonly CatchHandler[],
): readonly Edge[] {
  const edges: Edge[] = []
  if (type === 'Choice') {
    const choices = isArray(fields['Choices']) ? fields['Choices'] : []
    for (const [index, rule] of choices.entries()) {
      if (isObject(rule) && typeof rule['Next'] === 'string') {
        edges.push({ kind: 'choice', to: rule['Next'], index, pointer: under(pointer, 'Choices', index) })
      }
    }
    if (typeof fields['Default'] === 'string') {
      edges.push({ kind: 'default', to: fields['Default'], index: 0, pointer: under(pointer, 'Default') })
    }
  } else if (typeof fields['Next'] === 'string' && type !== 'Succeed' && type !== 'Fail') {
    edges.push({ kind: 'next', to: fields['Next'], index: 0, pointer: under(pointer, 'Next') })
  }
  for (const [index, catcher] of catchers.entries()) {
    edges.push({ kind: 'catch', to: catcher.next, index, pointer: catcher.pointer })
  }
  return edges
}

function innerMachines(
  type: StateType,
  fields: JsonObject,
  pointer: Pointer,
): readonly (readonly [Json, Pointer, Scope['kind']])[] {
  if (type === 'Parallel' && isArray(fields['Branches'])) {
    return fields['Branches'].map((branch, index) => [branch, under(pointer, 'Branches', index), 'branch'])
  }
  if (type !== 'Map') return []
  const field = Object.hasOwn(fields, 'ItemProcessor') ? 'ItemProcessor' : 'Iterator'
  const processor = fields[field]
  if (!isObject(processor)) return []
  const config = processor['ProcessorConfig']
  const distributed = isObject(config) && config['Mode'] === 'DISTRIBUTED'
  return [[processor, under(pointer, field), distributed ? 'distributed' : 'inline']]
}

const everyState = new WeakMap<Scope, readonly StateNode[]>()

/** Every state of the scope and of the scopes inside it, outer ones before inner ones. */
export function statesOf(scope: Scope): readonly StateNode[] {
  const known = everyState.get(scope)
  if (known !== undefined) return known
  const states: StateNode[] = []
  for (const state of scope.states.values()) {
    states.push(state)
    for (const inner of state.inner) for (const each of statesOf(inner)) states.push(each)
  }
  everyState.set(scope, states)
  return states
}

/** The scope and every scope inside it, outer ones before inner ones. */
export function scopesOf(scope: Scope): readonly Scope[] {
  const scopes = [scope]
  for (const state of statesOf(scope)) for (const inner of state.inner) scopes.push(inner)
  return scopes
}

/** The fields with which a Distributed Map tolerates failed items. */
export const toleranceFields: readonly string[] = [
  'ToleratedFailurePercentage',
  'ToleratedFailureCount',
  'ToleratedFailurePercentagePath',
  'ToleratedFailureCountPath',
]
