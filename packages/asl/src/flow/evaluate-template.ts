import {
  type IntrinsicArgument,
  type IntrinsicCall,
  intrinsicFunctions,
  parseIntrinsic,
} from '../expressions/intrinsic.ts'
import { parsePath } from '../expressions/path.ts'
import { maxRangeElements } from '../facts/limits.ts'
import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'
import { readSteps } from './access.ts'
import { type Environment, lookUp, readPath } from './environment.ts'
import { expectTypes } from './expect-type.ts'
import { tupleOf } from './list.ts'
import { mergeObjects } from './merge.ts'
import {
  always,
  arrayOf,
  type Field,
  type Origin,
  objectOf,
  ofType,
  ofValue,
  type Shape,
  unknown,
} from './shape.ts'
import { shapeOfJson } from './shape-of-json.ts'

/** What a JSONPath payload template makes. */
export function evaluateTemplate(
  template: Json,
  pointer: Pointer,
  environment: Environment,
  origin: Origin,
): Shape {
  if (isArray(template)) {
    return tupleOf(
      template.map((item, index) => evaluateTemplate(item, under(pointer, index), environment, origin)),
    )
  }
  if (!isObject(template)) return shapeOfJson(template, origin)
  const fields = new Map<string, Field>()
  for (const key of Object.keys(template)) {
    const value = template[key] as Json
    const at = under(pointer, key)
    if (key.endsWith('.$')) fields.set(key.slice(0, -2), always(evaluateText(value, at, environment)))
    else fields.set(key, always(evaluateTemplate(value, at, environment, origin)))
  }
  return objectOf(fields, origin)
}

/** A path or an intrinsic function. */
export function evaluateText(text: Json | undefined, pointer: Pointer, environment: Environment): Shape {
  if (typeof text !== 'string') return unknown
  if (text.startsWith('$')) {
    const path = parsePath(text)
    return typeof path === 'string' ? unknown : readPath(path, environment, pointer)
  }
  const call = parseIntrinsic(text)
  return typeof call === 'string' ? unknown : evaluateCall(call, pointer, environment)
}

function evaluateCall(call: IntrinsicCall, pointer: Pointer, environment: Environment): Shape {
  const args = call.args.map(argument => evaluateArgument(argument, pointer, environment))
  const [first = unknown, second = unknown] = args
  for (const [index, type] of (intrinsicFunctions.get(call.name)?.args ?? []).entries()) {
    if (type === 'any') continue
    expectTypes(call.name, args[index] ?? unknown, { accepted: [type], pointer }, environment)
  }
  if (call.name === 'States.ArrayGetItem') readItem(call, first, pointer, environment)
  switch (call.name) {
    case 'States.Array':
      return tupleOf(args)
    case 'States.ArrayGetItem':
    case 'States.ArrayUnique':
    case 'States.ArrayPartition':
      return ofArrayCall(call.name, first)
    case 'States.StringSplit':
      return arrayOf(ofType('string'))
    case 'States.ArrayRange':
      return arrayOf(ofType('number'), maxRangeElements, 0)
    case 'States.JsonMerge':
      return mergeObjects(first, second)
    default: {
      const returns = intrinsicFunctions.get(call.name)?.returns
      return returns === 'string' || returns === 'number' || returns === 'boolean' ? ofType(returns) : unknown
    }
  }
}

/** The element that States.ArrayGetItem takes of a list, as if a path led there. */
function readItem(call: IntrinsicCall, from: Shape, pointer: Pointer, environment: Environment): void {
  const [list, index] = call.args
  if (list?.kind !== 'path' || index?.kind !== 'literal' || typeof index.value !== 'number') return
  const step = { kind: 'index', index: index.value } as const
  const path = { ...list.path, steps: [...list.path.steps, step], text: call.text }
  // what a path with many values finds is a list, which is what the index is for
  const access = list.path.definite ? lookUp(path, environment) : readSteps(from, [step])
  environment.record({ pointer, text: call.text, path, access })
}

function ofArrayCall(name: string, array: Shape): Shape {
  if (array.kind === 'unknown' || array.array === undefined)
    return name === 'States.ArrayGetItem' ? unknown : arrayOf(unknown)
  const { items, maxItems, minItems } = array.array
  if (name === 'States.ArrayGetItem') return items
  const least = minItems === undefined ? undefined : Math.min(1, minItems)
  return name === 'States.ArrayUnique'
    ? arrayOf(items, maxItems, least)
    : arrayOf(arrayOf(items, maxItems, least), maxItems, least)
}

function evaluateArgument(argument: IntrinsicArgument, pointer: Pointer, environment: Environment): Shape {
  if (argument.kind === 'literal') return ofValue(argument.value)
  if (argument.kind === 'call') return evaluateCall(argument.call, pointer, environment)
  return readPath(argument.path, environment, pointer)
}
