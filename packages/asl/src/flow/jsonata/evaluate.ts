import { boundBy, type JsonataNode } from '../../expressions/jsonata.ts'
import { filterOf, readMapped } from '../access.ts'
import type { Arrival } from '../arrival.ts'
import { assumeCondition } from '../assume-condition.ts'
import { expectComparable } from '../expect-type.ts'
import { join } from '../join.ts'
import { type Content, contentOf, listOf, tupleOf } from '../list.ts'
import {
  always,
  type Field,
  isScalar,
  type JsonType,
  type Origin,
  objectOf,
  ofValue,
  type Shape,
  unknown,
} from '../shape.ts'
import { evaluateApply, evaluateCall } from './call.ts'
import { indexOf, readJsonataPath, stagesOf, startOfPath } from './path.ts'
import { expect, type JsonataScope } from './scope.ts'
import {
  aBoolean,
  aNumber,
  anyValue,
  aString,
  doubted,
  found,
  made,
  madeOf,
  unlessUnused,
  type Value,
} from './value.ts'

/** What an expression makes. Values that it cannot take are noted on the way. */
export function evaluateNode(node: JsonataNode, scope: JsonataScope): Value {
  if (node.type === 'path' || node.type === 'variable') return evaluatePath(node, scope)
  return withStages(evaluateWhole(node, scope), stagesOf(node), 'what is chosen')
}

/** What an expression makes before anything is chosen of it with `[…]`. */
function evaluateWhole(node: JsonataNode, scope: JsonataScope): Value {
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
      return isScalar(node.value) ? made(ofValue(node.value)) : anyValue
    case 'unary':
      return evaluateUnary(node, scope)
    case 'binary':
      return evaluateBinary(node, scope)
    case 'block':
      return evaluateBlock(node.expressions ?? [], scope)
    case 'bind':
      return evaluateNode(node.rhs as JsonataNode, scope)
    case 'apply':
      return evaluateApply(node, scope)
    case 'condition':
      return evaluateCondition(node, scope)
    case 'function':
      return evaluateCall(node, scope)
    default:
      return anyValue
  }
}

function evaluatePath(node: JsonataNode, scope: JsonataScope): Value {
  const keeps = node['keepSingletonArray'] === true || node['keepArray'] === true
  const value = followPath(node, scope)
  return keeps ? { ...value, shape: toList(value.shape) } : value
}

function followPath(node: JsonataNode, scope: JsonataScope): Value {
  if (node.group !== undefined) return anyValue
  const start = startOfPath(node)
  if (start === undefined) {
    const [first, ...rest] = node.steps ?? []
    if (first === undefined || first.type === 'name' || first.type === 'variable') return anyValue
    return followSteps(evaluateNode(first, scope), rest, 'the value')
  }
  const { path, stages, rest } = start
  const local = path.root.kind === 'variable' ? scope.locals.get(path.root.name) : undefined
  const value =
    local === undefined
      ? found(path, readJsonataPath(path, scope.environment))
      : madeOf(doubted(path.text, readMapped(local.shape, path.steps)), [local])
  return followSteps(withStages(value, stages, path.text), rest, path.text)
}

/** Past the plain beginning of a path: fields of what was found, and filters. */
function followSteps(from: Value, steps: readonly JsonataNode[], text: string): Value {
  let value = from
  let written = text
  for (const step of steps) {
    if (step.type !== 'name' || step['focus'] !== undefined || step['index'] !== undefined) return anyValue
    written = `${written}.${step.value}`
    const access = readMapped(value.shape, [{ kind: 'field', name: String(step.value) }])
    value = withStages(madeOf(doubted(written, access), [value]), stagesOf(step), written)
  }
  return value
}

/** The `[…]` behind a step: an index, or a filter, which may leave nothing. */
function withStages(from: Value, stages: readonly unknown[], text: string): Value {
  let value = from
  for (const stage of stages) {
    if ((stage as { readonly type?: unknown }).type !== 'filter') return anyValue
    const index = indexOf(stage)
    const access = index === undefined ? filterOf(value.shape) : readMapped(value.shape, [index])
    value = madeOf(doubted(text, access), [value])
  }
  return value
}

function toList(shape: Shape): Shape {
  const isList = shape.kind === 'known' && shape.types.size === 1 && shape.array !== undefined
  return isList ? shape : listOf([contentOf(shape)])
}

function evaluateUnary(node: JsonataNode, scope: JsonataScope): Value {
  if (node.value === '-') {
    const operand = evaluateNode(node['expression'] as JsonataNode, scope)
    expect('"-"', operand, ['number'], scope)
    return madeOf(aNumber, [operand])
  }
  if (node.value === '{' && Array.isArray(node.lhs))
    return made(evaluateObject(node.lhs as readonly (readonly [JsonataNode, JsonataNode])[], scope))
  return node.value === '[' ? evaluateList(node.expressions ?? [], scope) : anyValue
}

function evaluateObject(pairs: readonly (readonly [JsonataNode, JsonataNode])[], scope: JsonataScope): Shape {
  const fields = new Map<string, Field>()
  let open = false
  for (const [key, node] of pairs) {
    const { shape, presence, need } = evaluateNode(node, scope)
    if (key.type !== 'string' || typeof key.value !== 'string') open = true
    else if (presence === 'always' || presence === 'unknown') fields.set(key.value, always(shape))
    else fields.set(key.value, { shape, presence, missing: need?.access.missing ?? scope.origin })
  }
  return open ? unknown : objectOf(fields, scope.origin)
}

/** `[a, b]`: what is nothing is left out, and a list that is not written here gives its elements. */
function evaluateList(nodes: readonly JsonataNode[], scope: JsonataScope): Value {
  const contents: Content[] = []
  const elements: Shape[] = []
  for (const node of nodes) {
    const { shape, presence } = evaluateNode(node, scope)
    const nested = node.type === 'unary' && node.value === '['
    const one = nested || (shape.kind === 'known' && !shape.types.has('array'))
    if (one && presence === 'always') elements.push(shape)
    const { items, minItems, maxItems } = nested
      ? { items: shape, minItems: 1, maxItems: 1 }
      : contentOf(shape)
    if (presence !== 'never')
      contents.push({ items, maxItems, minItems: presence === 'always' ? minItems : 0 })
  }
  return made(elements.length === nodes.length ? tupleOf(elements) : listOf(contents))
}

const arithmetic: ReadonlySet<unknown> = new Set(['+', '-', '*', '/', '%'])
const ordering: ReadonlySet<unknown> = new Set(['<', '<=', '>', '>='])
const yesOrNo: ReadonlySet<unknown> = new Set(['=', '!=', 'and', 'or', 'in'])

const scalars: readonly JsonType[] = ['null', 'boolean', 'number', 'string']

/** Values of different types are never equal; lists and objects are left alone, since one value may stand for a list. */
function compareScalars(left: Value, right: Value, operator: string, scope: JsonataScope): void {
  const { shape } = right
  const isSimple = (of: Shape): boolean =>
    of.kind === 'known' && [...of.types].every(type => scalars.includes(type))
  if (shape.kind === 'unknown' || !isSimple(shape) || !isSimple(left.shape)) return
  if (left.presence === 'never' || right.presence === 'never') return
  const holds = operator === '=' ? 'never' : 'always'
  const compared = {
    types: [...shape.types],
    text: 'What is on the left',
    what: `"${operator}"`,
    holds,
  } as const
  expectComparable(left.shape, compared, scope.pointer, scope.environment)
}

function evaluateBinary(node: JsonataNode, scope: JsonataScope): Value {
  const left = evaluateNode(node.lhs as JsonataNode, scope)
  // what follows "and" and "or" may not be needed any more
  const lazy = node.value === 'and' || node.value === 'or'
  const right = evaluateNode(node.rhs as JsonataNode, lazy ? { ...scope, certain: false } : scope)
  if (node.value === '&') return aString
  if (node.value === '=' || node.value === '!=') compareScalars(left, right, String(node.value), scope)
  if (yesOrNo.has(node.value)) return aBoolean
  const written = `"${node.value}"`
  if (arithmetic.has(node.value)) {
    for (const operand of [left, right]) expect(written, operand, ['number'], scope)
    return madeOf(aNumber, [left, right])
  }
  if (!ordering.has(node.value)) return anyValue
  // a number is compared with a number, and text with text
  const [a, b] = [comparable(left.shape), comparable(right.shape)]
  expect(written, left, b, scope)
  expect(written, right, a.length === 1 && b.length === 1 ? comparables : a, scope)
  return madeOf(aBoolean, [left, right])
}

const comparables: readonly JsonType[] = ['number', 'string']

/** What a value can be compared with. */
function comparable(shape: Shape): readonly JsonType[] {
  const types = shape.kind === 'known' ? comparables.filter(type => shape.types.has(type)) : []
  return types.length === 1 ? types : comparables
}

function evaluateBlock(nodes: readonly JsonataNode[], scope: JsonataScope): Value {
  const locals = new Map(scope.locals)
  let last = anyValue
  for (const node of nodes) {
    last = evaluateNode(node, { ...scope, locals })
    for (const name of boundBy(node)) locals.set(name, last)
  }
  return last
}

const untaken: Origin = { kind: 'schema', text: 'the side of the condition that reads it' }

/** `a ? b : c`; one side only where it is decided before anything runs which. */
function evaluateCondition(node: JsonataNode, scope: JsonataScope): Value {
  const [test, yes, no] = [node['condition'], node['then'], node['else']] as readonly JsonataNode[]
  if (test === undefined || yes === undefined) return anyValue
  evaluateNode(test, scope)
  const { input, variables } = scope.environment
  const before = { data: input, variables }
  const [held, failed] = [assumeCondition(test, before, true), assumeCondition(test, before, false)]
  const side = (taken: JsonataNode | undefined, known: Arrival, certain: boolean): Value => {
    if (taken === undefined) return doubted('?', { shape: unknown, presence: 'never' })
    const environment = { ...scope.environment, input: known.data, variables: known.variables }
    return evaluateNode(taken, { ...scope, environment, certain: scope.certain && certain })
  }
  if (failed === undefined) return side(yes, held ?? before, true)
  if (held === undefined) return side(no, failed, true)
  const then = unlessUnused(side(yes, held, false), untaken)
  if (no === undefined) return { shape: then.shape, presence: 'unknown' }
  const otherwise = unlessUnused(side(no, failed, false), untaken)
  return madeOf(made(join(then.shape, otherwise.shape)), [then, otherwise])
}
