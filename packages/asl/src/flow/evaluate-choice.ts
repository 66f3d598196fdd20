import type { ParsedPath, PathStep } from '../expressions/syntax.ts'
import { comparisonOperands } from '../facts/states.ts'
import { isArray, isObject } from '../json.ts'
import type { Json, JsonObject } from '../language.ts'
import { type Pointer, under } from '../source/pointer.ts'
import { readSteps } from './access.ts'
import type { Arrival } from './arrival.ts'
import { type Environment, lookUp, readPath, toPath } from './environment.ts'
import { expectComparable } from './expect-type.ts'
import { join } from './join.ts'
import { assumePresence, assumeValue } from './refine.ts'
import { type JsonType, keepTypes, ofValue, type Scalar, type Shape } from './shape.ts'

/** What is known after a test, if it holds and if it does not; `undefined` where that cannot be. */
export interface Tested {
  readonly holds: Arrival | undefined
  readonly fails: Arrival | undefined
}

/** Reads what a choice rule reads, in order, and learns from it what the input looks like on either way. */
export function evaluateTest(test: Json | undefined, pointer: Pointer, environment: Environment): Tested {
  if (!isObject(test)) return nothingLearnt(environment)
  if (test['Not'] !== undefined) {
    const { holds, fails } = evaluateTest(test['Not'], under(pointer, 'Not'), environment)
    return { holds: fails, fails: holds }
  }
  if (isArray(test['And'])) return evaluateList(test['And'], under(pointer, 'And'), environment, 'and')
  if (isArray(test['Or'])) return evaluateList(test['Or'], under(pointer, 'Or'), environment, 'or')
  return evaluateComparison(test, pointer, environment)
}

function nothingLearnt({ input: data, variables }: Environment): Tested {
  return { holds: { data, variables }, fails: { data, variables } }
}

function evaluateList(
  tests: readonly Json[],
  pointer: Pointer,
  environment: Environment,
  how: 'and' | 'or',
): Tested {
  let going: Arrival | undefined = { data: environment.input, variables: environment.variables }
  let out: Arrival | undefined
  for (const [index, test] of tests.entries()) {
    if (going === undefined) break
    const tested = evaluateTest(test, under(pointer, index), {
      ...environment,
      input: going.data,
      variables: going.variables,
    })
    const leaves = how === 'and' ? tested.fails : tested.holds
    going = how === 'and' ? tested.holds : tested.fails
    if (leaves !== undefined) out = out === undefined ? leaves : joinArrivals(out, leaves)
  }
  return how === 'and' ? { holds: going, fails: out } : { holds: out, fails: going }
}

function joinArrivals(a: Arrival, b: Arrival): Arrival {
  return { data: join(a.data, b.data), variables: join(a.variables, b.variables) }
}

const typeTests: Readonly<Record<string, JsonType>> = {
  IsNull: 'null',
  IsNumeric: 'number',
  IsString: 'string',
  IsBoolean: 'boolean',
}

/** What an operator compares, by the word that it begins with; those that begin with Is take anything. */
const comparedTypes: Readonly<Record<string, JsonType>> = {
  Boolean: 'boolean',
  Numeric: 'number',
  String: 'string',
  Timestamp: 'string',
}

function evaluateComparison(test: JsonObject, pointer: Pointer, environment: Environment): Tested {
  const path = toPath(test['Variable'])
  const operator = Object.keys(test).find(name => comparisonOperands.has(name))
  if (path === undefined || operator === undefined) return nothingLearnt(environment)
  const operand = test[operator]
  if (operator === 'IsPresent') return evaluatePresence(path, operand !== false, environment)
  const compared = comparedTypes[/^[A-Z][a-z]+/.exec(operator)?.[0] ?? '']
  const compare = (found: Shape, { text, definite }: ParsedPath, at: Pointer): void => {
    if (compared === undefined || !definite) return
    expectComparable(found, { types: [compared], text, what: operator }, at, environment)
  }
  compare(readPath(path, environment, under(pointer, 'Variable')), path, under(pointer, 'Variable'))
  if (operator.endsWith('Path')) {
    const other = toPath(operand)
    const at = under(pointer, operator)
    if (other !== undefined) compare(readPath(other, environment, at), other, at)
  }
  if (path.root.kind !== 'input' || !path.definite) return nothingLearnt(environment)
  const { holds, fails } = learnFromInput(environment.input, path.steps, operator, operand)
  const { variables } = environment
  return {
    holds: holds === undefined ? undefined : { data: holds, variables },
    fails: fails === undefined ? undefined : { data: fails, variables },
  }
}

function evaluatePresence(path: ParsedPath, expected: boolean, environment: Environment): Tested {
  if (path.root.kind === 'context' || !path.definite) return nothingLearnt(environment)
  const { presence } = lookUp(path, environment)
  const { input: data, variables } = environment
  const { root, steps } = path
  const assume = (found: boolean): Arrival =>
    root.kind === 'variable'
      ? { data, variables: assumePresence(variables, [{ kind: 'field', name: root.name }, ...steps], found) }
      : { data: assumePresence(data, steps, found), variables }
  const present = presence === 'never' ? undefined : assume(true)
  const absent = presence === 'always' ? undefined : assume(false)
  return expected ? { holds: present, fails: absent } : { holds: absent, fails: present }
}

interface Narrowed {
  readonly holds: Shape | undefined
  readonly fails: Shape | undefined
}

function learnFromInput(
  input: Shape,
  steps: readonly PathStep[],
  operator: string,
  operand: Json | undefined,
): Narrowed {
  // a comparison that did not fail the state has found its value
  const found = readSteps(input, steps).presence === 'sometimes' ? assumePresence(input, steps, true) : input
  const type = typeTests[operator]
  if (type !== undefined) return narrowType(found, steps, type, operand !== false)
  const equals = operator === 'StringEquals' || operator === 'NumericEquals' || operator === 'BooleanEquals'
  if (!equals || typeof operand === 'object' || operand === undefined) return { holds: found, fails: found }
  return {
    holds: assumeValue(found, steps, () => ofValue(operand)),
    fails: withoutValue(found, steps, operand),
  }
}

/** What is left once a value is ruled out; `undefined` where nothing is. */
export function withoutValue(input: Shape, steps: readonly PathStep[], operand: Scalar): Shape | undefined {
  const { shape, presence } = readSteps(input, steps)
  const values = presence === 'always' ? valuesOf(shape) : undefined
  if (values === undefined || !values.includes(operand)) return input
  const left = values.filter(value => value !== operand)
  if (left.length === 0) return undefined
  return assumeValue(input, steps, () => left.map(ofValue).reduce((sum, each) => join(sum, each)))
}

/** All values that are possible, where they are known. */
function valuesOf(shape: Shape): readonly Scalar[] | undefined {
  if (shape.kind === 'unknown') return undefined
  if (shape.values !== undefined) return shape.values
  return shape.types.size === 1 && shape.types.has('boolean') ? [true, false] : undefined
}

/**
 * What no rule of a Choice takes, in words, where that is certain: there is one rule only, or all of them compare one
 * path with values of which all are known.
 */
export function findUnmatched(rules: readonly Json[], left: Shape): string | undefined {
  if (rules.length === 1) return 'Anything but what its only rule takes'
  const paths = new Set(
    rules.map(rule => (isObject(rule) && equality(rule) !== undefined ? rule['Variable'] : undefined)),
  )
  const [only] = paths
  const path = paths.size === 1 ? toPath(only) : undefined
  if (path === undefined || path.root.kind !== 'input' || !path.definite) return undefined
  const { shape, presence } = readSteps(left, path.steps)
  const values = presence === 'always' ? valuesOf(shape) : undefined
  if (values === undefined || values.length === 0) return undefined
  return `${path.text} = ${values.map(value => JSON.stringify(value)).join(' or ')}`
}

function equality(rule: JsonObject): string | undefined {
  return ['StringEquals', 'NumericEquals', 'BooleanEquals'].find(operator => rule[operator] !== undefined)
}

function narrowType(input: Shape, steps: readonly PathStep[], type: JsonType, expected: boolean): Narrowed {
  const yes = assumeValue(input, steps, shape => narrow(shape, each => each === type))
  const no = assumeValue(input, steps, shape => narrow(shape, each => each !== type))
  return expected ? { holds: yes, fails: no } : { holds: no, fails: yes }
}

/** Nothing is learnt where no type is left, or all of them. */
function narrow(shape: Shape, keep: (type: JsonType) => boolean): Shape {
  if (shape.kind === 'unknown') return shape
  const kept = keepTypes(shape, keep)
  return kept.types.size === 0 || kept.types.size === shape.types.size ? shape : kept
}
