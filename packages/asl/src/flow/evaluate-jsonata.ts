import { closest } from '@stepwright/errors/spelling'
import { jsonataExpression, parseJsonata } from '../expressions/jsonata.ts'
import { type JsonataUses, usesOf } from '../expressions/jsonata-uses.ts'
import type { ParsedPath } from '../expressions/syntax.ts'
import { jsonataFunctions } from '../facts/jsonata.ts'
import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'
import type { Environment } from './environment.ts'
import { evaluateNode } from './jsonata/evaluate.ts'
import { readJsonataPath, toJsonataPath } from './jsonata/path.ts'
import type { JsonataScope } from './jsonata/scope.ts'
import { tupleOf } from './list.ts'
import { always, type Field, type Origin, objectOf, type Shape, unknown } from './shape.ts'
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
      value.map((item, index) => evaluateJsonata(item, under(pointer, index), environment, origin)),
    )
  if (!isObject(value)) return shapeOfJson(value, origin)
  const fields = new Map<string, Field>()
  for (const [key, field] of Object.entries(value)) {
    fields.set(key, always(evaluateJsonata(field, under(pointer, key), environment, origin)))
  }
  return objectOf(fields, origin)
}

const noLocals: JsonataScope['locals'] = new Map()

/** An expression that makes nothing at all fails the state: what makes it so is read. */
function evaluateExpression(
  expression: string,
  pointer: Pointer,
  environment: Environment,
  origin: Origin,
): Shape {
  const tree = parseJsonata(expression)
  if (typeof tree === 'string') return unknown
  const path = toJsonataPath(tree)
  if (path !== undefined) {
    const access = readJsonataPath(path, environment)
    const text = expression.trim()
    environment.record({ pointer, text, path: { ...path, text }, access })
    return access.presence === 'never' ? unknown : access.shape
  }
  const uses = usesOf(tree)
  readVariables(uses, pointer, environment)
  noteUnknownFunctions(uses, pointer, environment)
  const scope = { environment, pointer, origin, locals: noLocals, certain: true, evaluate: evaluateNode }
  const { shape, presence, need } = evaluateNode(tree, scope)
  if (need !== undefined) environment.record({ pointer, text: need.path.text, ...need })
  return presence === 'never' ? unknown : shape
}

/** The variables that a larger expression reads, but for those that it asks for with `$exists` first. */
function readVariables(
  { variables, guarded }: JsonataUses,
  pointer: Pointer,
  environment: Environment,
): void {
  for (const name of variables) {
    if (guarded.has(name) || jsonataFunctions.has(name)) continue
    const path: ParsedPath = { text: `$${name}`, root: { kind: 'variable', name }, steps: [], definite: true }
    environment.record({ pointer, text: path.text, path, access: readJsonataPath(path, environment) })
  }
}

/** Step Functions creates a machine that calls a function which does not exist; the state fails with T1006. */
function noteUnknownFunctions({ functions }: JsonataUses, pointer: Pointer, { note }: Environment): void {
  for (const name of functions) {
    if (jsonataFunctions.has(name)) continue
    const near = closest(name, jsonataFunctions)
    note?.({
      rule: 'flow/unknown-function',
      pointer,
      message: `There is no function $${name} in Step Functions: the expression fails with T1006.`,
      suggestion: near === undefined ? undefined : `Did you mean $${near}?`,
    })
  }
}
