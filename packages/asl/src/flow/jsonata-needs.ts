import type { JsonataNode } from '../expressions/jsonata.ts'
import type { ParsedPath } from '../expressions/syntax.ts'
import { type Access, shortList } from './access.ts'
import type { Environment } from './environment.ts'
import { calledName } from './jsonata-call.ts'
import { readJsonataPath, toJsonataPath } from './jsonata-path.ts'
import { type JsonType, type Origin, type Shape, unknown } from './shape.ts'

const filtered: Origin = { kind: 'schema', text: 'a filter that may find nothing' }

/** A path without which an expression finds nothing, and what reading it finds. */
export interface Need {
  readonly path: ParsedPath
  readonly access: Access
}

/** What a path, a filter, `$map`, `$filter` or `$lookup` cannot do without, where it begins at a variable. */
export function needOf(node: JsonataNode, environment: Environment): Need | undefined {
  const plain = toJsonataPath(node)
  if (plain !== undefined) return { path: plain, access: readJsonataPath(plain, environment) }
  if (node.type === 'path' || node.type === 'variable') return ofFilter(node, environment)
  if (node.type !== 'function') return undefined
  const [first, second] = node['arguments'] as readonly JsonataNode[]
  const path = first && toJsonataPath(first)
  if (path === undefined) return undefined
  const name = calledName(node)
  if (name === 'lookup' && second?.type === 'string') {
    const steps = [...path.steps, { kind: 'field', name: String(second.value) } as const]
    return { path, access: readJsonataPath({ ...path, steps }, environment) }
  }
  if (name !== 'map' && name !== 'filter') return undefined
  return { path, access: afterList(path, name === 'filter', environment) }
}

/** `$states.input.rows[price > 3].id`: everything up to the filter. */
function ofFilter(node: JsonataNode, environment: Environment): Need | undefined {
  const nodes = node.type === 'path' ? (node.steps ?? []) : [node]
  const at = nodes.findIndex(step => step.stages !== undefined || step.predicate !== undefined)
  const step = nodes[at]
  if (step === undefined || node.group !== undefined) return undefined
  const { stages: _stages, predicate: _predicate, ...bare } = step
  const path = toJsonataPath({ type: 'path', steps: [...nodes.slice(0, at), bare] })
  return path && { path, access: afterList(path, true, environment) }
}

/** What comes of the elements of a list, of which there may be none. */
function afterList(path: ParsedPath, chosen: boolean, environment: Environment): Access {
  const { shape, ...access } = readJsonataPath(path, environment)
  if (access.presence !== 'always') return { shape: unknown, ...access }
  const array = shape.kind === 'known' && shape.types.size === 1 ? shape.array : undefined
  if (array === undefined) return { shape: unknown, presence: 'unknown' }
  const failedAt = Math.max(1, path.steps.length)
  if (array.maxItems === 0) return { shape: unknown, presence: 'never', failedAt }
  const missing = chosen ? filtered : array.minItems === 0 ? shortList : undefined
  return missing === undefined
    ? { shape: unknown, presence: 'unknown' }
    : { shape: unknown, presence: 'sometimes', missing, failedAt }
}

/** What the first argument of a function must be. */
export const firstArguments: ReadonlyMap<string, readonly JsonType[]> = new Map<string, readonly JsonType[]>([
  ...['floor', 'ceil', 'round', 'abs', 'sqrt', 'power'].map(name => [name, ['number']] as const),
  ...['length', 'uppercase', 'lowercase', 'trim'].map(name => [name, ['string']] as const),
  ...['sum', 'max', 'min', 'average'].map(name => [name, ['number', 'array']] as const),
])

/** The elements of a list of numbers, for functions that take one. */
export function elementsOf(shape: Shape): Shape {
  const array = shape.kind === 'known' && shape.types.size === 1 ? shape.array : undefined
  return array === undefined || array.maxItems === 0 ? unknown : array.items
}
