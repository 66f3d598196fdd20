import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import type { Edge, StateNode } from '../machine/machine.ts'
import type { Pointer } from '../source/pointer.ts'
import { writeSteps } from './access.ts'
import {
  type Arrival,
  addVariables,
  type Departure,
  depart,
  errorOutput,
  type Transfer,
  type TransferContext,
  templateOrigin,
} from './arrival.ts'
import { callTask } from './call-task.ts'
import { type Environment, readPath, toPath } from './environment.ts'
import { evaluateTest, findUnmatched } from './evaluate-choice.ts'
import { evaluateTemplate, evaluateText } from './evaluate-template.ts'
import { expectType } from './expect-type.ts'
import { runBranches, runItems } from './run-inner.ts'
import { objectOf, type Shape, unknown } from './shape.ts'
import { shapeOfJson } from './shape-of-json.ts'

export function transferJsonPath(
  state: StateNode,
  arrival: Arrival,
  base: Environment,
  context: TransferContext,
): Transfer {
  const at = (field: string): Pointer => [...state.pointer, field]
  const input = selectPath(state.fields['InputPath'], at('InputPath'), base)
  const environment = { ...base, input }
  if (state.type === 'Choice') return choose(state, arrival, environment, context)
  readWaits(state, environment)
  const result = resultOf(state, environment, arrival, context)
  const selector = state.fields['ResultSelector']
  const selected =
    selector === undefined || result === undefined
      ? result
      : evaluateTemplate(
          selector,
          at('ResultSelector'),
          { ...environment, input: result },
          templateOrigin(state, 'ResultSelector'),
        )
  const departures = departByCatch(state, arrival, base, context)
  if (selected === undefined) return { departures }
  checkWrite(state.fields['ResultPath'], at('ResultPath'), arrival.data, context)
  const combined = writeResult(state.fields['ResultPath'], arrival.data, selected)
  const output = selectPath(state.fields['OutputPath'], at('OutputPath'), { ...base, input: combined })
  const variables = assignJsonPath(
    state.fields['Assign'],
    at('Assign'),
    { ...environment, input: selected },
    arrival.variables,
  )
  return depart(state, { data: output, variables }, departures)
}

/** InputPath and OutputPath. */
function selectPath(field: Json | undefined, pointer: Pointer, environment: Environment): Shape {
  if (field === undefined) return environment.input
  if (field === null) return objectOf(new Map(), { kind: 'template', text: 'a path that is null' })
  const path = toPath(field)
  return path === undefined ? unknown : readPath(path, environment, pointer)
}

function writeResult(field: Json | undefined, input: Shape, result: Shape): Shape {
  if (field === undefined) return result
  if (field === null) return input
  const path = toPath(field)
  return path === undefined ? unknown : writeSteps(input, path.steps, result)
}

/** A ResultPath that leads through a list or a scalar fails the state: fields are written into objects. */
function checkWrite(field: Json | undefined, pointer: Pointer, input: Shape, context: TransferContext): void {
  let shape = input
  const walked: string[] = ['$']
  for (const step of toPath(field)?.steps ?? []) {
    if (step.kind !== 'field' || shape.kind === 'unknown') return
    if (shape.object === undefined) {
      context.onNote?.({
        rule: 'flow/result-path',
        pointer,
        message: `"${field}" cannot be written: ${walked.join('.')} is of type ${[...shape.types].join(' or ')}, and only an object has fields.`,
        suggestion: 'Write the result elsewhere, or make an object of the input first.',
      })
      return
    }
    const inner = shape.object.fields.get(step.name)
    if (inner === undefined || inner.presence !== 'always' || shape.types.size > 1) return
    walked.push(step.name)
    shape = inner.shape
  }
}

function assignJsonPath(
  assign: Json | undefined,
  pointer: Pointer,
  environment: Environment,
  variables: Shape,
): Shape {
  if (!isObject(assign)) return variables
  const made = evaluateTemplate(assign, pointer, environment, { kind: 'template', text: 'Assign' })
  return addVariables(variables, made)
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
    const pointer = [...state.pointer, field]
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
  const leave = (edge: Edge, known: Arrival, assign: Json | undefined, at: Pointer): void => {
    const { data, variables } = known
    const seen = { ...environment, input: data, variables }
    departures.push({
      data: selectPath(state.fields['OutputPath'], [...state.pointer, 'OutputPath'], seen),
      variables: assignJsonPath(assign, [...at, 'Assign'], seen, variables),
      edge,
    })
  }
  for (const edge of state.edges) {
    if (remaining === undefined) break
    const rule = rules[edge.index]
    if (edge.kind === 'default') leave(edge, remaining, state.fields['Assign'], state.pointer)
    else if (isObject(rule)) {
      const seen = { ...environment, input: remaining.data, variables: remaining.variables }
      const { holds, fails } = evaluateTest(rule, edge.pointer, seen)
      remaining = fails
      if (holds !== undefined) leave(edge, holds, rule['Assign'], edge.pointer)
    }
  }
  const unmatched =
    remaining === undefined || state.fields['Default'] !== undefined
      ? undefined
      : findUnmatched(rules, remaining.data)
  if (unmatched !== undefined)
    context.onNote?.({
      rule: 'routes/no-default',
      pointer: [...state.pointer, 'Choices'],
      message: `${unmatched} is taken by no rule: the execution fails with States.NoChoiceMatched.`,
      suggestion: 'Add a rule for it, or a Default.',
    })
  return { departures }
}

function departByCatch(
  state: StateNode,
  arrival: Arrival,
  environment: Environment,
  context: TransferContext,
): Departure[] {
  return state.edges
    .filter(edge => edge.kind === 'catch')
    .map(edge => {
      const { fields } = state.catchers[edge.index] as (typeof state.catchers)[number]
      const error = errorOutput(state, edge, arrival.data)
      checkWrite(fields['ResultPath'], [...edge.pointer, 'ResultPath'], arrival.data, context)
      const variables = assignJsonPath(
        fields['Assign'],
        [...edge.pointer, 'Assign'],
        { ...environment, input: error },
        arrival.variables,
      )
      return { data: writeResult(fields['ResultPath'], arrival.data, error), variables, edge }
    })
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
          [...state.pointer, 'Parameters'],
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
      : readPath(itemsPath, environment, [...state.pointer, 'ItemsPath'])
  if (itemsPath !== undefined) expectType(items, [...state.pointer, 'ItemsPath'], environment)
  return runItems(state, items, environment, arrival, context)
}
