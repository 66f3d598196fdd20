import { isArray, isObject, type Json } from '../json.ts'
import { childrenOf } from './filter.ts'
import { callPathFunction } from './functions.ts'
import type { Step } from './parse.ts'

/** A value, or `undefined` where the path leads nowhere. */
export type Found = Json | undefined

function selectsOne(step: Step, isLast: boolean): boolean {
  return (
    step.kind === 'name' ||
    step.kind === 'index' ||
    step.kind === 'function' ||
    (step.kind === 'names' && isLast)
  )
}

/** A definite path leads to one value or none; any other yields a list, perhaps empty. */
export function isDefinite(steps: readonly Step[]): boolean {
  return steps.every((step, index) => selectsOne(step, index === steps.length - 1))
}

export function evaluateSteps(steps: readonly Step[], start: Json, root: Json): Found {
  const last = steps.at(-1)
  if (last?.kind === 'function') {
    const value = evaluateSteps(steps.slice(0, -1), start, root)
    return value === undefined ? undefined : callPathFunction(last.name, last.parameters, value)
  }
  if (isDefinite(steps)) return followDefinite(steps, start)
  let nodes: readonly Json[] = [start]
  for (const step of steps) nodes = nodes.flatMap(node => selectNodes(step, node, root))
  return nodes
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
  if (step.kind === 'name')
    return isObject(node) && Object.hasOwn(node, step.name) ? node[step.name] : undefined
  if (step.kind === 'index') return isArray(node) ? node.at(step.index) : undefined
  if (step.kind === 'names' && isObject(node)) {
    return Object.fromEntries(
      step.names.filter(name => Object.hasOwn(node, name)).map(name => [name, node[name] as Json]),
    )
  }
  return undefined
}

function present(values: readonly Found[]): readonly Json[] {
  return values.filter(value => value !== undefined) as readonly Json[]
}

function selectNodes(step: Step, node: Json, root: Json): readonly Json[] {
  switch (step.kind) {
    case 'name':
    case 'index':
      return present([selectOne(step, node)])
    case 'names':
      return present(step.names.map(name => selectOne({ kind: 'name', name }, node)))
    case 'indexes':
      return present(step.indexes.map(index => selectOne({ kind: 'index', index }, node)))
    case 'slice':
      return isArray(node) ? node.slice(step.from ?? 0, step.to ?? node.length) : []
    case 'wildcard':
      return childrenOf(node)
    case 'descend':
      return [node, ...childrenOf(node).flatMap(child => selectNodes(step, child, root))]
    case 'filter':
      return (isArray(node) ? node : [node]).filter(item => step.test(item, root))
    case 'function':
      return present([callPathFunction(step.name, step.parameters, node)])
  }
}
