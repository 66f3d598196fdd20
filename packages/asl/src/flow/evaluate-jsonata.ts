import { type JsonataNode, jsonataExpression, parseJsonata } from '../expressions/jsonata.ts'
import { usesOf } from '../expressions/jsonata-uses.ts'
import type { ParsedPath, PathStep } from '../expressions/syntax.ts'
import { jsonataFunctions } from '../facts/jsonata.ts'
import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import type { Pointer } from '../source/pointer.ts'
import { type Access, readSteps, shortList } from './access.ts'
import type { Environment } from './environment.ts'
import {
  always,
  type Field,
  isScalar,
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
  const path = toPath(tree, expression.trim())
  if (path === undefined) {
    readVariables(tree, pointer, environment)
    readNeeded(tree, pointer, environment)
    return evaluateNode(tree, environment, origin).shape
  }
  // an expression that finds nothing at all fails the state; inside a larger one it is only left out
  const access = readVariablePath(path, environment)
  environment.record({ pointer, text: expression.trim(), path, access })
  return access.presence === 'never' ? unknown : access.shape
}

/** The variables that a larger expression reads, but for those that it asks for with `$exists` first. */
function readVariables(tree: JsonataNode, pointer: Pointer, environment: Environment): void {
  const { variables, guarded } = usesOf(tree)
  for (const name of variables) {
    if (guarded.has(name) || jsonataFunctions.has(name)) continue
    const path: ParsedPath = { text: `$${name}`, root: { kind: 'variable', name }, steps: [], definite: true }
    environment.record({ pointer, text: path.text, path, access: readVariablePath(path, environment) })
  }
}

/** Functions that give nothing where they are given nothing, as most do; the whole expression then finds nothing. */
const strictFunctions: ReadonlySet<string> = new Set(
  'sum max min average string number length uppercase lowercase trim floor ceil round abs keys'.split(' '),
)
const arithmetic: ReadonlySet<unknown> = new Set(['+', '-', '*', '/', '%'])

/** The paths without which a larger expression finds nothing. */
function readNeeded(node: JsonataNode, pointer: Pointer, environment: Environment): void {
  const path = toPath(node, '')
  if (path !== undefined) {
    const text = `$${path.root.kind === 'variable' ? path.root.name : ''}${path.steps.map(step => (step.kind === 'field' ? `.${step.name}` : '')).join('')}`
    const access = readVariablePath(path, environment)
    environment.record({ pointer, text, path: { ...path, text }, access })
  } else if (node.type === 'binary' && arithmetic.has(node.value)) {
    readNeeded(node.lhs as JsonataNode, pointer, environment)
    readNeeded(node.rhs as JsonataNode, pointer, environment)
  } else if (node.type === 'function' && strictFunctions.has(calledName(node))) {
    const [first] = node['arguments'] as readonly JsonataNode[]
    if (first !== undefined) readNeeded(first, pointer, environment)
  }
}

function calledName(node: JsonataNode): string {
  const procedure = node['procedure'] as JsonataNode | undefined
  return procedure?.type === 'variable' ? String(procedure.value) : ''
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
  const path = toPath(node, '')
  if (path !== undefined) return readVariablePath(path, environment)
  if (node.type === 'string' || node.type === 'number' || (node.type === 'value' && isScalar(node.value))) {
    return { shape: ofValue(node.value as Scalar), presence: 'always' }
  }
  if (node.type === 'unary' && node.value === '{' && Array.isArray(node.lhs)) {
    return {
      shape: evaluateObject(node.lhs as [JsonataNode, JsonataNode][], environment, origin),
      presence: 'always',
    }
  }
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

/** A plain way through fields from a variable, `$states.input.order.id`; anything else is none. */
function toPath(node: JsonataNode, text: string): ParsedPath | undefined {
  const nodes = node.type === 'path' ? (node.steps ?? []) : [node]
  const [first, ...rest] = nodes
  if (
    first?.type !== 'variable' ||
    typeof first.value !== 'string' ||
    first.value === '' ||
    first.value === '$'
  )
    return undefined
  const steps: PathStep[] = []
  for (const step of nodes) {
    if (step.stages !== undefined || step.predicate !== undefined || step.group !== undefined)
      return undefined
  }
  for (const step of rest) {
    if (step.type !== 'name' || typeof step.value !== 'string') return undefined
    steps.push({ kind: 'field', name: step.value })
  }
  if (node.type === 'path' && (node['group'] !== undefined || node['keepSingletonArray'] !== undefined))
    return undefined
  return { text, root: { kind: 'variable', name: first.value }, steps, definite: true }
}

function readVariablePath(path: ParsedPath, environment: Environment): Access {
  if (path.root.kind !== 'variable') return { shape: unknown, presence: 'unknown' }
  const { name } = path.root
  const [first, ...rest] = path.steps
  if (name !== 'states') return readMapped(environment.variables, [{ kind: 'field', name }, ...path.steps])
  if (first?.kind !== 'field') return { shape: unknown, presence: 'unknown' }
  if (first.name === 'input') return readMapped(environment.input, rest)
  if (first.name === 'context') return readMapped(environment.context(), rest)
  if (first.name === 'result' && environment.result !== undefined) return readMapped(environment.result, rest)
  if (first.name === 'errorOutput' && environment.errorOutput !== undefined)
    return readMapped(environment.errorOutput, rest)
  return { shape: unknown, presence: 'unknown' }
}

/** A list of a schema, of which no least length is promised. */
function mayBeEmpty({ shape, presence }: Access): boolean {
  const array = shape.kind === 'known' && shape.types.size === 1 ? shape.array : undefined
  return (
    presence === 'always' &&
    array !== undefined &&
    array.tuple === undefined &&
    array.maxItems !== undefined &&
    array.minItems === 0
  )
}

/** JSONata reads a field of an array from each of its elements, so past an array nothing is promised. */
function readMapped(from: Shape, steps: readonly PathStep[]): Access {
  for (const [index] of steps.entries()) {
    const before = readSteps(from, steps.slice(0, index))
    if (before.shape.kind === 'known' && before.shape.types.has('array'))
      return mayBeEmpty(before)
        ? { shape: unknown, presence: 'sometimes', missing: shortList, failedAt: index }
        : { shape: unknown, presence: 'unknown' }
  }
  return readSteps(from, steps)
}
