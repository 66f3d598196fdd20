import type { ParsedPath } from '../expressions/syntax.ts'
import { isArray, isObject } from '../json.ts'
import type { JsonObject } from '../language.ts'
import type { CatchHandler, Edge, StateNode } from '../machine/machine.ts'
import { type Pointer, under } from '../source/pointer.ts'
import {
  type Arrival,
  addVariables,
  type Departure,
  depart,
  errorOutput,
  noDefault,
  type Transfer,
  type TransferContext,
  templateOrigin,
} from './arrival.ts'
import { callTask } from './call-task.ts'
import { type Environment, readPath, toPath } from './environment.ts'
import { evaluateTest, findUnmatched } from './evaluate-choice.ts'
import { evaluateTemplate, evaluateText } from './evaluate-template.ts'
import { expectType } from './expect-type.ts'
import { writeSteps } from './refine.ts'
import { runBranches, runItems } from './run-inner.ts'
import { isAnything, type Origin, objectOf, type Shape, unknown } from './shape.ts'
import { shapeOfJson } from './shape-of-json.ts'

export function transferJsonPath(
  state: StateNode,
  arrival: Arrival,
  base: Environment,
  context: TransferContext,
): Transfer {
  const { fields, pointer } = state
  const input = selectPath(fields, 'InputPath', pointer, base)
  const environment = input === base.input ? base : { ...base, input }
  if (state.type === 'Choice') return choose(state, arrival, environment, context)
  readWaits(state, environment)
  const result = resultOf(state, environment, arrival, context)
  const selected = selectResult(state, result, environment)
  const departures = departByCatch(state, arrival, base, context)
  if (selected === undefined) return { departures }
  const combined = writeResult(fields, pointer, arrival.data, selected, context)
  const output = selectPath(fields, 'OutputPath', pointer, base, combined)
  const variables = assignJsonPath(fields, pointer, environment, selected, arrival.variables)
  return depart(state, { data: output, variables }, departures)
}

/** What InputPath or OutputPath leaves of a value. */
function selectPath(
  fields: JsonObject,
  name: 'InputPath' | 'OutputPath',
  pointer: Pointer,
  environment: Environment,
  from: Shape = environment.input,
): Shape {
  const field = fields[name]
  if (field === undefined) return from
  if (field === null) return objectOf(new Map(), { kind: 'template', text: 'a path that is null' })
  const path = toPath(field)
  return path === undefined ? unknown : readPath(path, { ...environment, input: from }, under(pointer, name))
}

function selectResult(
  state: StateNode,
  result: Shape | undefined,
  environment: Environment,
): Shape | undefined {
  const selector = state.fields['ResultSelector']
  if (selector === undefined || result === undefined) return result
  const origin = templateOrigin(state, 'ResultSelector')
  const seen = { ...environment, input: result }
  return evaluateTemplate(selector, under(state.pointer, 'ResultSelector'), seen, origin)
}

/** What a state's or a catcher's ResultPath makes of input and result. */
function writeResult(
  fields: JsonObject,
  pointer: Pointer,
  input: Shape,
  result: Shape,
  context: TransferContext,
): Shape {
  const field = fields['ResultPath']
  if (field === undefined) return result
  if (field === null) return input
  const path = toPath(field)
  if (path === undefined) return unknown
  checkWrite(path, under(pointer, 'ResultPath'), input, context)
  return writeSteps(input, path.steps, result)
}

/** A ResultPath that leads through a list or a scalar fails the state: fields are written into objects. */
function checkWrite(path: ParsedPath, pointer: Pointer, input: Shape, context: TransferContext): void {
  let shape = input
  let certain = true
  const walked: string[] = ['$']
  for (const step of path.steps) {
    if (step.kind !== 'field' || shape.kind === 'unknown' || isAnything(shape)) return
    const wrong = [...shape.types].filter(type => type !== 'object')
    certain &&= shape.object === undefined
    if (wrong.length > 0) {
      const is = `${walked.join('.')} ${certain ? 'is' : 'may be'} of type ${wrong.join(' or ')}`
      context.onNote?.({
        rule: certain ? 'flow/result-path' : 'flow/doubtful-type',
        pointer,
        message: `"${path.text}" cannot be written${certain ? '' : ' always'}: ${is}, and only an object has fields.`,
        suggestion: 'Write the result elsewhere, or make an object of the input first.',
      })
      return
    }
    const inner = shape.object?.fields.get(step.name)
    if (inner === undefined || inner.presence === 'never') return
    certain = inner.presence === 'always'
    walked.push(step.name)
    shape = inner.shape
  }
}

const assignOrigin: Origin = { kind: 'template', text: 'Assign' }

/** The variables once the Assign of a state, a rule or a catcher was followed. */
function assignJsonPath(
  fields: JsonObject,
  pointer: Pointer,
  environment: Environment,
  input: Shape,
  variables: Shape,
): Shape {
  const assign = fields['Assign']
  if (!isObject(assign)) return variables
  const seen = { ...environment, input }
  return addVariables(variables, evaluateTemplate(assign, under(pointer, 'Assign'), seen, assignOrigin))
}

function readWaits(state: StateNode, environment: Environment): void {
  for (const field of [
    'SecondsPath',
    'TimestampPath',
    'TimeoutSecondsPath',
    'HeartbeatSecondsPath',
    'MaxConcurrencyPath',
    'ToleratedFailurePercentagePath',
    'ToleratedFailureCountPath',
  ]) {
    if (state.fields[field] === undefined) continue
    const pointer = under(state.pointer, field)
    expectType(evaluateText(state.fields[field], pointer, environment), pointer, environment)
  }
}

function choose(
  state: StateNode,
  arrival: Arrival,
  environment: Environment,
  context: TransferContext,
): Transfer {
  const departures: Departure[] = []
  let remaining: Arrival | undefined = { data: environment.input, variables: arrival.variables }
  const rules = isArray(state.fields['Choices']) ? state.fields['Choices'] : []
  const leave = (edge: Edge, { data, variables }: Arrival, fields: JsonObject, pointer: Pointer): void => {
    const seen = { ...environment, input: data, variables }
    departures.push({
      data: selectPath(state.fields, 'OutputPath', state.pointer, seen),
      variables: assignJsonPath(fields, pointer, seen, data, variables),
      edge,
    })
  }
  for (const edge of state.edges) {
    if (remaining === undefined) break
    const rule = rules[edge.index]
    if (edge.kind === 'default') leave(edge, remaining, state.fields, state.pointer)
    else if (isObject(rule)) {
      const seen = { ...environment, input: remaining.data, variables: remaining.variables }
      const { holds, fails } = evaluateTest(rule, edge.pointer, seen)
      remaining = fails
      if (holds !== undefined) leave(edge, holds, rule, edge.pointer)
    }
  }
  const unmatched =
    remaining === undefined || state.fields['Default'] !== undefined
      ? undefined
      : findUnmatched(rules, remaining.data)
  if (unmatched !== undefined) context.onNote?.(noDefault(state, unmatched))
  return { departures }
}

function departByCatch(
  state: StateNode,
  { data, variables }: Arrival,
  environment: Environment,
  context: TransferContext,
): Departure[] {
  const departures: Departure[] = []
  for (const edge of state.edges) {
    if (edge.kind !== 'catch') continue
    const { fields } = state.catchers[edge.index] as CatchHandler
    const error = errorOutput(state, edge, data)
    departures.push({
      data: writeResult(fields, edge.pointer, data, error, context),
      variables: assignJsonPath(fields, edge.pointer, environment, error, variables),
      edge,
    })
  }
  return departures
}

/** What the state itself makes, before ResultSelector; `undefined` where it never comes out. */
function resultOf(
  state: StateNode,
  environment: Environment,
  arrival: Arrival,
  context: TransferContext,
): Shape | undefined {
  const { fields } = state
  const argument =
    fields['Parameters'] === undefined || state.type === 'Map'
      ? environment.input
      : evaluateTemplate(
          fields['Parameters'],
          under(state.pointer, 'Parameters'),
          environment,
          templateOrigin(state, 'Parameters'),
        )
  if (state.type === 'Pass') {
    return fields['Result'] === undefined
      ? argument
      : shapeOfJson(fields['Result'], templateOrigin(state, 'Result'))
  }
  if (state.type === 'Task') return callTask(state, argument, environment, context, 'Parameters')
  if (state.type === 'Parallel')
    return runBranches(state, { data: argument, variables: arrival.variables }, context)
  if (state.type !== 'Map') return environment.input
  // an ItemReader brings the items, and ItemsPath is then not looked at
  if (fields['ItemReader'] !== undefined) return runItems(state, unknown, environment, arrival, context)
  const itemsPath = toPath(fields['ItemsPath'])
  const items =
    itemsPath === undefined
      ? environment.input
      : readPath(itemsPath, environment, under(state.pointer, 'ItemsPath'))
  return runItems(state, items, environment, arrival, context)
}
