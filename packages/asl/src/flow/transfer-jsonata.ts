import { jsonataExpression, parseJsonata } from '../expressions/jsonata.ts'
import { isArray, isObject } from '../json.ts'
import type { StateNode } from '../machine/machine.ts'
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
import { assumeCondition, isExhaustive } from './assume-condition.ts'
import { callTask } from './call-task.ts'
import type { Environment } from './environment.ts'
import { evaluateJsonata } from './evaluate-jsonata.ts'
import { expectType } from './expect-type.ts'
import { runBranches, runItems } from './run-inner.ts'
import { type Origin, type Shape, unknown } from './shape.ts'

export function transferJsonata(
  state: StateNode,
  arrival: Arrival,
  environment: Environment,
  context: TransferContext,
): Transfer {
  const at = (field: string): Pointer => under(state.pointer, field)
  if (state.type === 'Choice') return chooseJsonata(state, arrival, environment, context)
  for (const field of [
    'Seconds',
    'Timestamp',
    'TimeoutSeconds',
    'HeartbeatSeconds',
    'MaxConcurrency',
    'ToleratedFailurePercentage',
    'ToleratedFailureCount',
  ]) {
    if (typeof state.fields[field] !== 'string') continue
    expectType(
      evaluateJsonata(state.fields[field], at(field), environment, templateOrigin(state, field)),
      at(field),
      environment,
    )
  }
  const result = jsonataResult(state, environment, arrival, context)
  const departures = state.edges
    .filter(edge => edge.kind === 'catch')
    .map(edge => {
      const error = errorOutput(state, edge, arrival.data)
      const after = { ...environment, errorOutput: error }
      const { fields } = state.catchers[edge.index] as (typeof state.catchers)[number]
      return {
        ...applyOutput(
          fields,
          edge.pointer,
          after,
          error,
          arrival.variables,
          templateOrigin(state, 'Output'),
        ),
        edge,
      }
    })
  if (result === undefined) return { departures }
  const after = applyOutput(
    state.fields,
    state.pointer,
    { ...environment, result },
    result,
    arrival.variables,
    templateOrigin(state, 'Output'),
  )
  return depart(state, after, departures)
}

function applyOutput(
  fields: StateNode['fields'],
  pointer: Pointer,
  environment: Environment,
  otherwise: Shape,
  variables: Shape,
  origin: Origin,
): Arrival {
  const { Output: output, Assign: assign } = fields
  const data =
    output === undefined ? otherwise : evaluateJsonata(output, under(pointer, 'Output'), environment, origin)
  const made = isObject(assign)
    ? evaluateJsonata(assign, under(pointer, 'Assign'), environment, origin)
    : undefined
  return { data, variables: made === undefined ? variables : addVariables(variables, made) }
}

function chooseJsonata(
  state: StateNode,
  arrival: Arrival,
  environment: Environment,
  context: TransferContext,
): Transfer {
  const rules = isArray(state.fields['Choices']) ? state.fields['Choices'] : []
  const origin = templateOrigin(state, 'Output')
  const departures: Departure[] = []
  let remaining: Arrival | undefined = arrival
  for (const edge of state.edges) {
    if (remaining === undefined) break
    const rule = rules[edge.index]
    if (edge.kind === 'default' || !isObject(rule)) {
      departures.push({ ...leave(state.fields, state.pointer, environment, remaining, origin), edge })
      continue
    }
    const condition = rule['Condition']
    const before: Environment = { ...environment, input: remaining.data, variables: remaining.variables }
    const at = under(edge.pointer, 'Condition')
    if (condition !== undefined) expectType(evaluateJsonata(condition, at, before, origin), at, before)
    const expression = typeof condition === 'string' ? jsonataExpression(condition) : undefined
    const tree = expression === undefined ? '' : parseJsonata(expression)
    const held = typeof tree === 'string' ? remaining : assumeCondition(tree, remaining, true)
    if (typeof tree !== 'string') remaining = assumeCondition(tree, remaining, false)
    if (held !== undefined) departures.push({ ...leave(rule, edge.pointer, environment, held, origin), edge })
  }
  if (remaining !== undefined && state.fields['Default'] === undefined && !isExhaustive(rules, arrival))
    context.onNote?.(
      noDefault(state, rules.length === 1 ? 'Anything but what its only rule takes' : 'What no rule takes'),
    )
  return { departures }
}

/** The Output and Assign of a rule or of the Choice itself, with what its conditions have shown. */
function leave(
  fields: StateNode['fields'],
  pointer: Pointer,
  environment: Environment,
  known: Arrival,
  origin: Origin,
): Arrival {
  const seen = { ...environment, input: known.data, variables: known.variables }
  return applyOutput(fields, pointer, seen, known.data, known.variables, origin)
}

function jsonataResult(
  state: StateNode,
  environment: Environment,
  arrival: Arrival,
  context: TransferContext,
): Shape | undefined {
  const { fields } = state
  const at = under(state.pointer, 'Arguments')
  const argument =
    fields['Arguments'] === undefined
      ? arrival.data
      : evaluateJsonata(fields['Arguments'], at, environment, templateOrigin(state, 'Arguments'))
  if (state.type === 'Task') return callTask(state, argument, environment, context, 'Arguments')
  if (state.type === 'Parallel')
    return runBranches(state, { data: argument, variables: arrival.variables }, context)
  if (state.type !== 'Map') return arrival.data
  const items =
    fields['Items'] === undefined
      ? arrival.data
      : evaluateJsonata(
          fields['Items'],
          under(state.pointer, 'Items'),
          environment,
          templateOrigin(state, 'Items'),
        )
  return runItems(state, fields['ItemReader'] === undefined ? items : unknown, environment, arrival, context)
}
