import { calledName, type JsonataNode, jsonataExpression, parseJsonata } from '../expressions/jsonata.ts'
import type { PathStep } from '../expressions/syntax.ts'
import { isObject } from '../json.ts'
import type { Json } from '../language.ts'
import { readMapped, unknownAccess } from './access.ts'
import type { Arrival } from './arrival.ts'
import { withoutValue } from './evaluate-choice.ts'
import { toJsonataPath } from './jsonata/path.ts'
import { assumeLength, assumePresence, assumeValue } from './refine.ts'
import { isScalar, ofValue, type Scalar, type Shape } from './shape.ts'

/** What is known once a JSONata condition has turned out true, or false; `undefined` where it never does. */
export function assumeCondition(node: JsonataNode, before: Arrival, holds: boolean): Arrival | undefined {
  if (node.type === 'block' && node.expressions?.length === 1)
    return assumeCondition(node.expressions[0] as JsonataNode, before, holds)
  if (node.type === 'function') {
    const [first] = node['arguments'] as readonly JsonataNode[]
    const name = calledName(node)
    if (first === undefined) return before
    if (name === 'not') return assumeCondition(first, before, !holds)
    return name === 'exists' ? assumeFound(first, before, holds) : before
  }
  if (node.type !== 'binary') return before
  const [left, right] = [node.lhs as JsonataNode, node.rhs as JsonataNode]
  // both sides are known only of an "and" that holds, and of an "or" that does not
  if (node.value === (holds ? 'and' : 'or')) {
    const after = assumeCondition(left, before, holds)
    return after && assumeCondition(right, after, holds)
  }
  const counted = countedBy(node, holds)
  if (counted !== undefined) return assumeCounted(counted.list, before, counted.length)
  const literal = ['string', 'number', 'value'].includes(right.type) && isScalar(right.value)
  if (!literal || (node.value !== '=' && node.value !== '!=')) return before
  return assumeCompared(left, right.value as Scalar, node.value === '=', before, holds)
}

/** `x = "a"` and `x != "a"`: where x is nothing, neither holds. */
function assumeCompared(
  left: JsonataNode,
  value: Scalar,
  equal: boolean,
  before: Arrival,
  holds: boolean,
): Arrival | undefined {
  const [typed] =
    left.type === 'function' && calledName(left) === 'type'
      ? (left['arguments'] as readonly JsonataNode[])
      : []
  if (typed !== undefined) return equal && holds ? assumeFound(typed, before, true) : before
  if (!holds && !isThere(left, before)) return before
  const there = holds ? assumeFound(left, before, true) : before
  if (there === undefined) return undefined
  return equal === holds ? assumeEqual(left, there, value) : assumeNot(left, there, value)
}

function isThere(node: JsonataNode, before: Arrival): boolean {
  const place = placeOf(node, before)
  return place !== undefined && readMapped(place.from, place.steps).presence === 'always'
}

/** A plain path to a value that is there, through objects only. */
function scalarPlace(node: JsonataNode, before: Arrival): Place | undefined {
  const place = placeOf(node, before)
  if (place === undefined || !place.steps.every(({ kind }) => kind === 'field')) return undefined
  return isObjects(place.from, place.steps) ? place : undefined
}

function assumeEqual(node: JsonataNode, before: Arrival, value: Scalar): Arrival {
  const place = scalarPlace(node, before)
  const { shape } = place === undefined ? unknownAccess : readMapped(place.from, place.steps)
  if (place === undefined || shape.kind === 'unknown' || shape.types.has('array')) return before
  return place.put(assumeValue(place.from, place.steps, () => ofValue(value)))
}

/** The value is another one; `undefined` where there is no other. */
function assumeNot(node: JsonataNode, before: Arrival, value: Scalar): Arrival | undefined {
  const place = scalarPlace(node, before)
  if (place === undefined) return before
  const left = withoutValue(place.from, place.steps, value)
  return left && place.put(left)
}

/** `$count(list) > 0`: the list, and how many elements it has at least. */
function countedBy(
  { value, lhs, rhs }: JsonataNode,
  holds: boolean,
): { readonly list: JsonataNode; readonly length: number } | undefined {
  const [call, bound] = [lhs as JsonataNode, rhs as JsonataNode]
  const [list] =
    call.type === 'function' && calledName(call) === 'count'
      ? (call['arguments'] as readonly JsonataNode[])
      : []
  if (list === undefined || bound.type !== 'number' || typeof bound.value !== 'number') return undefined
  const least = holds
    ? { '>': bound.value + 1, '>=': bound.value, '=': bound.value }
    : { '<=': bound.value + 1, '<': bound.value, '=': bound.value === 0 ? 1 : 0 }
  const length = Object.entries(least).find(([operator]) => operator === value)?.[1] ?? 0
  return length >= 1 ? { list, length } : undefined
}

interface Place {
  readonly from: Shape
  readonly steps: readonly PathStep[]
  /** The arrival with more known of the data or of the variables. */
  readonly put: (after: Shape) => Arrival
}

/** Where a plain path leads, if it begins at the input or at a variable. */
function placeOf(node: JsonataNode, before: Arrival): Place | undefined {
  const path = toJsonataPath(node)
  if (path?.root.kind !== 'variable') return undefined
  const [first, ...rest] = path.steps
  if (path.root.name !== 'states') {
    const steps = [{ kind: 'field', name: path.root.name } as const, ...path.steps]
    return { from: before.variables, steps, put: variables => ({ ...before, variables }) }
  }
  if (first?.kind !== 'field' || first.name !== 'input') return undefined
  return { from: before.data, steps: rest, put: data => ({ ...before, data }) }
}

function assumeCounted(node: JsonataNode, before: Arrival, length: number): Arrival | undefined {
  const place = placeOf(node, before)
  if (place === undefined) return before
  if (readMapped(place.from, place.steps).presence === 'never') return undefined
  if (!isObjects(place.from, place.steps)) return before
  return place.put(assumeLength(place.from, place.steps, length))
}

function assumeFound(node: JsonataNode, before: Arrival, present: boolean): Arrival | undefined {
  const place = placeOf(node, before)
  if (place === undefined) return before
  const { from, steps, put } = place
  const { presence, missing } = readMapped(from, steps)
  if (presence === (present ? 'never' : 'always')) return undefined
  // nothing is remembered of what is not known to be an object
  const open = presence === 'unknown' || (presence === 'sometimes' && missing !== undefined)
  return open && (!present || isObjects(from, steps)) ? put(assumePresence(from, steps, present)) : before
}

/** Whether each field on the way is that of an object, and never of a list of them; behind an index nothing is asked. */
function isObjects(from: Shape, steps: readonly PathStep[]): boolean {
  const at = steps.findIndex(({ kind }) => kind === 'index')
  return steps.slice(0, at === -1 ? undefined : at).every((_, index) => {
    const { shape } = readMapped(from, steps.slice(0, index))
    return shape.kind === 'known' && !shape.types.has('array')
  })
}

/** Whether a Choice's rules take everything, by the way they are written: one of them says the opposite of another. */
export function isExhaustive(rules: readonly Json[], before: Arrival): boolean {
  const texts = rules.map(rule => {
    const condition = isObject(rule) ? rule['Condition'] : undefined
    const expression = typeof condition === 'string' ? jsonataExpression(condition) : undefined
    return expression?.replaceAll(/\s+/g, '') ?? ''
  })
  return texts.some(
    text => text === 'true' || texts.some(other => other !== '' && isOpposite(text, other, before)),
  )
}

const opposites: readonly (readonly [string, string])[] = [
  ['=', '!='],
  ['>', '<='],
  ['<', '>='],
]

function isOpposite(text: string, other: string, before: Arrival): boolean {
  if (other === `$not(${text})`) return true
  return opposites.some(([operator, opposite]) =>
    splitsAt(text, operator).some(
      ([left, right]) =>
        other === `${left}${opposite}${right}` && (operator !== '=' || isSurelyThere(left, before)),
    ),
  )
}

/** Nothing is neither equal to a value nor not equal to it; what is larger or smaller than a number is there. */
function isSurelyThere(text: string, before: Arrival): boolean {
  const tree = parseJsonata(text)
  return typeof tree !== 'string' && isThere(tree, before)
}

/** The two sides of each place at which the operator stands by itself. */
function splitsAt(text: string, operator: string): readonly (readonly [string, string])[] {
  const sides: [string, string][] = []
  for (let at = text.indexOf(operator); at > 0; at = text.indexOf(operator, at + 1)) {
    const alone = !/[=<>!:]/.test(text[at - 1] ?? '') && text[at + 1] !== '='
    if (alone) sides.push([text.slice(0, at), text.slice(at + 1)])
  }
  return sides
}
