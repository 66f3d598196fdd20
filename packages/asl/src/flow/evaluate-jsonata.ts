import { type JsonataNode, jsonataExpression, parseJsonata } from '../expressions/jsonata.ts'
import { usesOf } from '../expressions/jsonata-uses.ts'
import type { ParsedPath } from '../expressions/syntax.ts'
import { jsonataFunctions } from '../facts/jsonata.ts'
import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import type { Pointer } from '../source/pointer.ts'
import type { Access } from './access.ts'
import type { Environment } from './environment.ts'
import { expectTypes } from './expect-type.ts'
import { calledName } from './jsonata-call.ts'
import { elementsOf, firstArguments, needOf } from './jsonata-needs.ts'
import { readJsonataPath, toJsonataPath } from './jsonata-path.ts'
import { mergeObjects } from './merge.ts'
import {
  always,
  arrayOf,
  type Field,
  isScalar,
  join,
  type Origin,
  objectOf,
  ofType,
  ofValue,
  type Scalar,
  type Shape,
  tupleOf,
  unknown,
} from './shape.ts'
import { shapeOfJson } from './shape-of-json.ts'

/** What JSON with JSONata expressions in its strings makes. */
export function evaluateJsonata(
  value: Json,
  pointer: Pointer,
  environment: Environment,
  origin: Origin,
): Shape {
  if (typeof value === 'string') {
    const expression = jsonataExpression(value)
    return expression === undefined
      ? shapeOfJson(value, origin)
      : evaluateExpression(expression, pointer, environment, origin)
  }
  if (isArray(value))
    return tupleOf(
      value.map((item, index) => evaluateJsonata(item, [...pointer, index], environment, origin)),
    )
  if (!isObject(value)) return shapeOfJson(value, origin)
  const fields = new Map<string, Field>()
  for (const [key, field] of Object.entries(value)) {
    fields.set(key, always(evaluateJsonata(field, [...pointer, key], environment, origin)))
  }
  return objectOf(fields, origin)
}

function evaluateExpression(
  expression: string,
  pointer: Pointer,
  environment: Environment,
  origin: Origin,
): Shape {
  const tree = parseJsonata(expression)
  if (typeof tree === 'string') return unknown
  const path = toJsonataPath(tree)
  if (path === undefined) {
    readVariables(tree, pointer, environment)
    readNeeded(tree, pointer, environment)
    return evaluateNode(tree, environment, origin).shape
  }
  // an expression that finds nothing at all fails the state; inside a larger one it is only left out
  const access = readJsonataPath(path, environment)
  const text = expression.trim()
  environment.record({ pointer, text, path: { ...path, text }, access })
  return access.presence === 'never' ? unknown : access.shape
}

/** The variables that a larger expression reads, but for those that it asks for with `$exists` first. */
function readVariables(tree: JsonataNode, pointer: Pointer, environment: Environment): void {
  const { variables, guarded } = usesOf(tree)
  for (const name of variables) {
    if (guarded.has(name) || jsonataFunctions.has(name)) continue
    const path: ParsedPath = { text: `$${name}`, root: { kind: 'variable', name }, steps: [], definite: true }
    environment.record({ pointer, text: path.text, path, access: readJsonataPath(path, environment) })
  }
}

/** Functions that give nothing where they are given nothing, as most do; the whole expression then finds nothing. */
const strictFunctions: ReadonlySet<string> = new Set(
  'sum max min average string number length uppercase lowercase trim floor ceil round abs keys'.split(' '),
)
const arithmetic: ReadonlySet<unknown> = new Set(['+', '-', '*', '/', '%'])

/** The paths without which a larger expression finds nothing, and the values that it cannot take. */
function readNeeded(node: JsonataNode, pointer: Pointer, environment: Environment): void {
  const need = needOf(node, environment)
  if (need !== undefined) {
    environment.record({ pointer, text: need.path.text, ...need })
  } else if (node.type === 'binary' && arithmetic.has(node.value)) {
    for (const side of [node.lhs, node.rhs] as const) {
      readNeeded(side as JsonataNode, pointer, environment)
      const { shape } = evaluateNode(side as JsonataNode, environment, argumentOrigin)
      expectTypes(`"${node.value}"`, shape, { accepted: ['number'], pointer }, environment)
    }
  } else if (node.type === 'function') readArguments(node, pointer, environment)
}

function readArguments(node: JsonataNode, pointer: Pointer, environment: Environment): void {
  const name = calledName(node)
  if (name === 'merge') {
    // what is not there is left out, and a list is taken for its elements
    for (const { shape, presence } of mergedBy(node, environment) ?? [])
      if (presence === 'always')
        expectTypes('$merge', shape, { accepted: ['object', 'array'], pointer }, environment)
    return
  }
  const [first] = node['arguments'] as readonly JsonataNode[]
  if (first === undefined) return
  if (strictFunctions.has(name)) readNeeded(first, pointer, environment)
  const { shape } = evaluateNode(first, environment, argumentOrigin)
  const accepted = firstArguments.get(name)
  if (accepted !== undefined) expectTypes(`$${name}`, shape, { accepted, pointer }, environment)
  if (accepted?.includes('array'))
    expectTypes(
      `$${name}`,
      elementsOf(shape),
      { accepted: ['number'], mayBeNone: true, pointer },
      environment,
    )
  if (name === 'number')
    expectTypes(
      '$number',
      shape,
      { accepted: ['number', 'boolean'], numericText: true, pointer },
      environment,
    )
}

const argumentOrigin: Origin = { kind: 'other', text: 'an argument' }

/** What `$merge([…])` is given, where the list is written out. */
function mergedBy(node: JsonataNode, environment: Environment): readonly Access[] | undefined {
  const [list] = node['arguments'] as readonly JsonataNode[]
  if (list?.type !== 'unary' || list.value !== '[') return undefined
  return list.expressions?.map(each => evaluateNode(each, environment, argumentOrigin))
}

function evaluateMerge(node: JsonataNode, environment: Environment): Shape {
  const parts = mergedBy(node, environment) ?? []
  const plain = parts.every(
    ({ shape, presence }) => presence === 'always' && shape.kind === 'known' && shape.types.size === 1,
  )
  const [first = unknown, ...others] = parts.map(({ shape }) => shape)
  return plain ? others.reduce(mergeObjects, first) : unknown
}

/** Which sides of `a ? b : c` there are; one of them where `$exists` is decided before anything runs. */
function evaluateCondition(node: JsonataNode, environment: Environment, origin: Origin): Access {
  const [test, yes, no] = [node['condition'], node['then'], node['else']] as readonly JsonataNode[]
  if (test === undefined || yes === undefined || no === undefined)
    return { shape: unknown, presence: 'unknown' }
  const asked =
    test.type === 'function' && calledName(test) === 'exists'
      ? toJsonataPath((test['arguments'] as readonly JsonataNode[])[0] as JsonataNode)
      : undefined
  const presence = asked === undefined ? 'unknown' : readJsonataPath(asked, environment).presence
  if (presence === 'never') return evaluateNode(no, environment, origin)
  const then = evaluateNode(yes, environment, origin)
  if (presence === 'always') return then
  const otherwise = evaluateNode(no, environment, origin)
  const both = then.presence === 'always' && otherwise.presence === 'always'
  return { shape: join(then.shape, otherwise.shape), presence: both ? 'always' : 'unknown' }
}

/** What operators and functions make, where they make anything. */
function typeOf(node: JsonataNode): Shape {
  if (node.type === 'binary') {
    if (arithmetic.has(node.value)) return ofType('number')
    if (node.value === '&') return ofType('string')
    return typeof node.value === 'string' && /^(?:[=<>]|!=|<=|>=|and|or|in)$/.test(node.value)
      ? ofType('boolean')
      : unknown
  }
  if (node.type !== 'function') return unknown
  const name = calledName(node)
  if (
    /^(?:sum|count|max|min|average|number|length|floor|ceil|round|abs|sqrt|power|millis|toMillis)$/.test(name)
  )
    return ofType('number')
  if (/^(?:string|uppercase|lowercase|trim|pad|substring|join|now|fromMillis|uuid|hash)$/.test(name))
    return ofType('string')
  return /^(?:boolean|not|exists|contains)$/.test(name) ? ofType('boolean') : unknown
}

function evaluateNode(node: JsonataNode, environment: Environment, origin: Origin): Access {
  const path = toJsonataPath(node)
  if (path !== undefined) return readJsonataPath(path, environment)
  if (node.type === 'string' || node.type === 'number' || (node.type === 'value' && isScalar(node.value))) {
    return { shape: ofValue(node.value as Scalar), presence: 'always' }
  }
  if (node.type === 'unary' && node.value === '{' && Array.isArray(node.lhs)) {
    return {
      shape: evaluateObject(node.lhs as [JsonataNode, JsonataNode][], environment, origin),
      presence: 'always',
    }
  }
  if (node.type === 'unary' && node.value === '[') return { shape: arrayOf(unknown), presence: 'always' }
  if (node.type === 'condition') return evaluateCondition(node, environment, origin)
  if (node.type === 'function' && calledName(node) === 'merge')
    return { shape: evaluateMerge(node, environment), presence: 'unknown' }
  return { shape: typeOf(node), presence: 'unknown' }
}

function evaluateObject(
  pairs: readonly (readonly [JsonataNode, JsonataNode])[],
  environment: Environment,
  origin: Origin,
): Shape {
  const fields = new Map<string, Field>()
  for (const [key, value] of pairs) {
    if (key.type !== 'string' || typeof key.value !== 'string') return unknown
    const { shape, presence, missing } = evaluateNode(value, environment, origin)
    if (presence === 'never') fields.set(key.value, { shape: unknown, presence, missing: missing ?? origin })
    else if (presence === 'sometimes') fields.set(key.value, { shape, presence, missing: missing ?? origin })
    else fields.set(key.value, always(shape))
  }
  return objectOf(fields, origin)
}
