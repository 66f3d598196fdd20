import { calledName, type JsonataNode } from '../../expressions/jsonata.ts'
import { filterOf, readMapped, sequenceOf } from '../access.ts'
import { join } from '../join.ts'
import { contentOf } from '../list.ts'
import { mergeObjects } from '../merge.ts'
import {
  type ArrayShape,
  arrayOf,
  type KnownShape,
  type Origin,
  objectOf,
  type Shape,
  splitList,
  unknown,
} from '../shape.ts'
import { knownFunctions } from './functions.ts'
import { mayBeSequence } from './path.ts'
import { expect, type JsonataScope } from './scope.ts'
import { anyValue, doubted, made, madeOf, type Value } from './value.ts'

/** What a call makes, if the function is one of JSONata's own. */
export function evaluateCall(node: JsonataNode, scope: JsonataScope): Value {
  const name = calledName(node)
  const nodes = node['arguments'] as readonly JsonataNode[]
  if (scope.locals.has(name)) return anyValue
  if (name === 'merge') return evaluateMerge(nodes, scope)
  const args = nodes.map(each => (each.type === 'lambda' ? anyValue : scope.evaluate(each, scope)))
  const [first = anyValue] = args
  const written = `$${name}`
  if (name === 'filter') return madeOf(doubted(written, filterOf(first.shape)), [first])
  if (name === 'map') return madeOf(evaluateMap(first, nodes[1], scope), [first])
  if (name === 'lookup') return lookUp(first, nodes[1])
  if (name === 'distinct') return madeOf(evaluateDistinct(first, nodes[0], scope), [first])
  const known = knownFunctions.get(name)
  if (known === undefined) return speaksOfNothing.has(name) ? anyValue : madeOf(anyValue, [first])
  for (const [index, accepted] of (known.takes ?? []).entries()) {
    const argument = args[index]
    if (accepted !== undefined && argument !== undefined) expect(written, argument, accepted, scope)
  }
  if (known.each !== undefined) {
    const elements = elementsOf(first.shape)
    expect(written, { shape: elements, presence: 'unknown' }, known.each, scope)
  }
  if (name === 'number') expect(written, first, ['number', 'boolean'], scope, true)
  // text that is no number makes nothing, or some other number
  if (name === 'parseInteger') expect(written, { ...first, presence: 'unknown' }, ['number'], scope, true)
  const value = known.makes(args, written)
  return known.fromNothing || args.length === 0 ? value : madeOf(value, [first])
}

/** Of the rest of JSONata's functions, those that make something, or fail, also where they are given nothing. */
const speaksOfNothing: ReadonlySet<string> = new Set(['', 'assert', 'error', 'eval', 'zip'])

/** `list ~> $count` and `list ~> $join(",")`. */
export function evaluateApply(node: JsonataNode, scope: JsonataScope): Value {
  const [value, applied] = [node.lhs as JsonataNode, node.rhs as JsonataNode]
  if (applied.type === 'variable')
    return evaluateCall({ type: 'function', procedure: applied, arguments: [value] }, scope)
  if (applied.type !== 'function') return anyValue
  const others = applied['arguments'] as readonly JsonataNode[]
  return evaluateCall({ ...applied, arguments: [value, ...others] }, scope)
}

/** What a list of numbers or texts holds. */
function elementsOf(shape: Shape): Shape {
  const [list] = shape.kind === 'known' ? splitList(shape) : []
  const array = list?.array
  return array === undefined || array.maxItems === 0 ? unknown : array.items
}

/** `$map(list, function($item) { … })`: as many values as there are elements, without those that are nothing. */
function evaluateMap({ shape }: Value, mapping: JsonataNode | undefined, scope: JsonataScope): Value {
  if (shape.kind === 'unknown') return anyValue
  const { items, minItems, maxItems } = contentOf(shape)
  const parameters = mapping?.type === 'lambda' ? (mapping['arguments'] as readonly JsonataNode[]) : []
  const locals = new Map(scope.locals)
  for (const [index, { value }] of parameters.entries())
    locals.set(String(value), index === 0 ? made(items) : anyValue)
  const body = mapping?.type === 'lambda' ? (mapping['body'] as JsonataNode) : undefined
  const each = body === undefined ? anyValue : scope.evaluate(body, { ...scope, locals, certain: false })
  const sure = each.presence === 'always' ? minItems : each.presence === 'unknown' ? undefined : 0
  return doubted('$map', sequenceOf(each.shape, minItems === 0 ? 0 : sure, maxItems))
}

/** `$distinct(list)`; of a sequence the only value that is left, and of another value the value itself. */
function evaluateDistinct({ shape }: Value, node: JsonataNode | undefined, scope: JsonataScope): Value {
  if (shape.kind === 'unknown' || (shape.types.has('array') && shape.types.size > 1)) return anyValue
  if (!shape.types.has('array')) return made(shape)
  const { items, minItems, maxItems } = contentOf(shape)
  const list = arrayOf(items, maxItems, minItems === undefined ? undefined : Math.min(1, minItems))
  return made(mayBeSequence(node, scope) ? join(items, list) : list)
}

/** `$lookup(object, "name")`. */
function lookUp(from: Value, key: JsonataNode | undefined): Value {
  if (key?.type !== 'string' || typeof key.value !== 'string') return anyValue
  const access = readMapped(from.shape, [{ kind: 'field', name: key.value }])
  return madeOf(doubted(`$lookup(…, "${key.value}")`, access), [from])
}

/** `$merge([a, b])`: what is nothing is left out, and a list is taken for its elements. */
function evaluateMerge(nodes: readonly JsonataNode[], scope: JsonataScope): Value {
  const [list] = nodes
  if (list?.type !== 'unary' || list.value !== '[') {
    const value = list === undefined ? anyValue : scope.evaluate(list, scope)
    expectObjects(value, scope)
    return madeOf(made(mergePart(noFields, { ...value, presence: 'always' })), [value])
  }
  const parts = (list.expressions ?? []).map(each => scope.evaluate(each, scope))
  for (const part of parts) expectObjects(part, scope)
  return made(parts.reduce(mergePart, noFields))
}

/** An object, or a list of nothing but objects. */
function expectObjects(value: Value, scope: JsonataScope): void {
  expect('$merge', value, ['object', 'array'], scope)
  const [array] = value.shape.kind === 'known' ? splitList(value.shape) : []
  if (array?.array === undefined || array.array.maxItems === 0) return
  const { items, minItems = 0 } = array.array
  const sure = value.presence === 'always' && minItems > 0 && (value.shape as KnownShape).types.size === 1
  expect('$merge', { shape: items, presence: sure ? 'always' : 'unknown' }, ['object'], scope)
}

const noFields: Shape = objectOf(new Map(), { kind: 'other', text: 'what is merged' })

const mayBeLeftOut: Origin = { kind: 'schema', text: 'an object that $merge may be without' }

function mergePart(sum: Shape, { shape, presence }: Value): Shape {
  if (presence === 'never') return sum
  if (presence === 'unknown' || (shape.kind === 'known' && shape.types.size > 1)) return unknown
  // what is not known may be a list of any number of objects
  if (shape.kind === 'unknown') return mergeObjects(sum, unknown)
  const merged = shape.array === undefined ? mergeObjects(sum, shape) : mergeElements(sum, shape.array)
  return presence === 'always' ? merged : join(sum, merged, mayBeLeftOut)
}

function mergeElements(sum: Shape, { tuple, items, minItems, maxItems }: ArrayShape): Shape {
  if (maxItems === 0) return sum
  if (tuple !== undefined) return tuple.reduce(mergeObjects, sum)
  const merged = mergeObjects(sum, items)
  return minItems === undefined || minItems === 0 ? join(sum, merged, mayBeLeftOut) : merged
}
