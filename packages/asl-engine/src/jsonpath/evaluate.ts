import type { PathStep } from '@stepwright/asl/expressions'
import { isArray, isObject, type Json } from '../json.ts'
import { callPathFunction } from './functions.ts'

/** A value, or `undefined` where the path leads nowhere. */
export type Found = Json | undefined

/** The test of `[?(…)]`: is this node kept? */
export type FilterTest = (node: Json, root: Json) => boolean

/** A step of a path, its filter ready to be asked. */
export type Step =
  | Exclude<PathStep, { readonly kind: 'filter' }>
  | { readonly kind: 'filter'; readonly test: FilterTest }

/** A path's steps, with what is known of them before any document is. */
export interface Steps {
  readonly steps: readonly Step[]
  readonly definite: boolean
}

export function evaluateSteps({ steps, definite }: Steps, start: Json, root: Json): Found {
  const last = steps.at(-1)
  if (last?.kind === 'function') {
    const before = steps.slice(0, -1)
    const value =
      definite && !isScan(before)
        ? followDefinite(before, start)
        : findAll(counted(before, last), start, root)
    return value === undefined ? undefined : callPathFunction(last.name, last.parameters, value)
  }
  return definite ? followDefinite(steps, start) : findAll(steps, start, root)
}

function isScan(steps: readonly Step[]): boolean {
  return steps[0]?.kind === 'descend'
}

/** The length of a scan is the number of all that is in what it finds, as Jayway counts. */
function counted(steps: readonly Step[], { name }: Step & { readonly kind: 'function' }): readonly Step[] {
  return isScan(steps) && name === 'length' ? [...steps, { kind: 'wildcard' }] : steps
}

function followDefinite(steps: readonly Step[], start: Json): Found {
  let node: Found = start
  for (const step of steps) {
    node = selectOne(step, node)
    if (node === undefined) return undefined
  }
  return node
}

export function selectOne(step: Step, node: Json): Found {
  if (step.kind === 'field')
    return isObject(node) && Object.hasOwn(node, step.name) ? node[step.name] : undefined
  if (step.kind === 'index') return isArray(node) ? node.at(step.index) : undefined
  if (step.kind === 'fields' && isObject(node)) {
    return Object.fromEntries(
      step.names.filter(name => Object.hasOwn(node, name)).map(name => [name, node[name] as Json]),
    )
  }
  return undefined
}

function findAll(steps: readonly Step[], start: Json, root: Json): readonly Json[] {
  let nodes: readonly Json[] = [start]
  for (const [position, step] of steps.entries()) {
    const isLast = position === steps.length - 1
    const scanned = steps[position - 1]?.kind === 'descend'
    nodes = nodes.flatMap(node => selectNodes(step, node, root, isLast, scanned))
  }
  return nodes
}

function present(values: readonly Found[]): readonly Json[] {
  return values.filter(value => value !== undefined) as readonly Json[]
}

function selectNodes(step: Step, node: Json, root: Json, isLast: boolean, scanned: boolean): readonly Json[] {
  switch (step.kind) {
    case 'field':
    case 'index':
      return present([selectOne(step, node)])
    case 'fields':
      if (isLast) return present([selectOne(step, node)])
      return present(step.names.map(name => selectOne({ kind: 'field', name }, node)))
    case 'indexes':
      return present(step.indexes.map(index => selectOne({ kind: 'index', index }, node)))
    case 'slice':
      return isArray(node) ? node.slice(step.from ?? 0, step.to ?? node.length) : []
    case 'wildcard':
      return childrenOf(node)
    case 'descend':
      return descend(node)
    case 'filter':
      // a scan comes to the elements of a list by themselves
      if (isArray(node))
        return scanned && !step.test(node, root) ? [] : node.filter(item => step.test(item, root))
      return step.test(node, root) ? [node] : []
    case 'function':
      return present([callPathFunction(step.name, step.parameters, node)])
  }
}

function childrenOf(node: Json): readonly Json[] {
  return isArray(node) ? node : isObject(node) ? Object.values(node) : []
}

/** The lists and objects of a document, outer ones before inner ones. */
function descend(node: Json): readonly Json[] {
  if (typeof node !== 'object' || node === null) return []
  const found: Json[] = []
  const waiting: Json[] = [node]
  while (waiting.length > 0) {
    const next = waiting.pop() as Json
    found.push(next)
    for (const child of childrenOf(next).toReversed())
      if (typeof child === 'object' && child !== null) waiting.push(child)
  }
  return found
}
