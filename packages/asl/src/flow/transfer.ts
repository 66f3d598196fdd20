import type { TaskContract } from '@stepwright/task'
import { parsePath } from '../expression/path.ts'
import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import type { Edge, Scope, StateNode } from '../machine/machine.ts'
import { integrationOf } from '../machine/resource.ts'
import type { Pointer } from '../source/pointer.ts'
import { writeSteps } from './access.ts'
import { evaluateTest } from './choice.ts'
import { contextObject, type MapItem } from './context-object.ts'
import { type Environment, type Read, readPath } from './environment.ts'
import { shapeOfJson } from './from-json.ts'
import { shapeOfSchema } from './from-schema.ts'
import { evaluateJsonata } from './jsonata.ts'
import {
  always,
  arrayOf,
  type Field,
  type Origin,
  objectOf,
  ofType,
  type Shape,
  tupleOf,
  unknown,
} from './shape.ts'
import { evaluateTemplate, evaluateText } from './template.ts'

/** The data and the variables with which a state is entered. */
export interface Arrival {
  readonly data: Shape
  readonly variables: Shape
}

export interface TransferContext {
  readonly findContract: (state: StateNode) => TaskContract | undefined
  /** `$$.Execution.Input`. */
  readonly executionInput: Shape
  readonly item: MapItem | undefined
  readonly record: (read: Read) => void
  /** Runs a branch or an item processor; its result is `undefined` where it never ends well. */
  readonly runInner: (scope: Scope, arrival: Arrival, item: MapItem | undefined) => Shape | undefined
  /** Told what a Task is called with. */
  readonly onCall?: (state: StateNode, argument: Shape, pointer: Pointer) => void
  /** Told what a Map's items are. */
  readonly onItems?: (state: StateNode, items: Shape) => void
}

export interface Departure extends Arrival {
  readonly edge: Edge
}

export interface Transfer {
  readonly departures: readonly Departure[]
  /** What the scope's result is, if it ends here. */
  readonly end?: Shape
}

/** What a state makes of its input, on every way out of it. */
export const transfer = (state: StateNode, arrival: Arrival, context: TransferContext): Transfer => {
  let contextShape: Shape | undefined
  const environment: Environment = {
    input: arrival.data,
    variables: arrival.variables,
    record: context.record,
    context: () => {
      contextShape ??= contextObject(state, context.executionInput, context.item)
      return contextShape
    },
  }
  if (state.type === 'Fail') {
    readFailure(state, environment)
    return { departures: [] }
  }
  return state.language === 'JSONata'
    ? transferJsonata(state, arrival, environment, context)
    : transferJsonPath(state, arrival, environment, context)
}

const templateOrigin = (state: StateNode, field: string): Origin => ({
  kind: 'template',
  text: `the ${field} of "${state.name}"`,
})

const transferJsonPath = (
  state: StateNode,
  arrival: Arrival,
  base: Environment,
  context: TransferContext,
): Transfer => {
  const at = (field: string): Pointer => [...state.pointer, field]
  const input = selectPath(state.fields['InputPath'], at('InputPath'), base)
  const environment = { ...base, input }
  if (state.type === 'Choice') return choose(state, arrival, environment)
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
  const departures = departByCatch(state, arrival, base)
  if (selected === undefined) return { departures }
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

const depart = (state: StateNode, after: Arrival, others: readonly Departure[]): Transfer => ({
  departures: [
    ...state.edges.filter(edge => edge.kind === 'next').map(edge => ({ ...after, edge })),
    ...others,
  ],
  ...(state.ends && { end: after.data }),
})

/** InputPath and OutputPath. */
const selectPath = (field: Json | undefined, pointer: Pointer, environment: Environment): Shape => {
  if (field === undefined) return environment.input
  if (field === null) return objectOf(new Map(), { kind: 'template', text: 'a path that is null' })
  const path = typeof field === 'string' ? parsePath(field) : undefined
  return path === undefined ? unknown : readPath(path, environment, pointer)
}

const writeResult = (field: Json | undefined, input: Shape, result: Shape): Shape => {
  if (field === undefined) return result
  if (field === null) return input
  const path = typeof field === 'string' ? parsePath(field) : undefined
  return path === undefined ? unknown : writeSteps(input, path.steps, result)
}

const assignJsonPath = (
  assign: Json | undefined,
  pointer: Pointer,
  environment: Environment,
  variables: Shape,
): Shape => {
  if (!isObject(assign)) return variables
  const made = evaluateTemplate(assign, pointer, environment, { kind: 'template', text: 'Assign' })
  return addVariables(variables, made)
}

const addVariables = (variables: Shape, made: Shape): Shape => {
  if (made.kind === 'unknown' || made.object === undefined) return variables
  let after = variables
  for (const [name, { shape }] of made.object.fields)
    after = writeSteps(after, [{ kind: 'field', name }], shape)
  return after
}

const readWaits = (state: StateNode, environment: Environment): void => {
  for (const field of [
    'SecondsPath',
    'TimestampPath',
    'TimeoutSecondsPath',
    'HeartbeatSecondsPath',
    'MaxConcurrencyPath',
    'ToleratedFailurePercentagePath',
    'ToleratedFailureCountPath',
  ]) {
    if (state.fields[field] !== undefined)
      evaluateText(state.fields[field], [...state.pointer, field], environment)
  }
}

const readFailure = (state: StateNode, environment: Environment): void => {
  const origin: Origin = { kind: 'other', text: 'Fail' }
  for (const field of ['Error', 'Cause']) {
    const pathField = `${field}Path`
    if (state.fields[pathField] !== undefined)
      evaluateText(state.fields[pathField], [...state.pointer, pathField], environment)
    if (state.language === 'JSONata' && state.fields[field] !== undefined) {
      evaluateJsonata(state.fields[field], [...state.pointer, field], environment, origin)
    }
  }
}

const choose = (state: StateNode, arrival: Arrival, environment: Environment): Transfer => {
  const departures: Departure[] = []
  let remaining: Shape | undefined = environment.input
  const rules = isArray(state.fields['Choices']) ? state.fields['Choices'] : []
  const output = (data: Shape): Shape =>
    selectPath(state.fields['OutputPath'], [...state.pointer, 'OutputPath'], { ...environment, input: data })
  for (const edge of state.edges) {
    if (remaining === undefined) break
    const rule = rules[edge.index]
    if (edge.kind === 'default') {
      const variables = assignJsonPath(
        state.fields['Assign'],
        [...state.pointer, 'Assign'],
        { ...environment, input: remaining },
        arrival.variables,
      )
      departures.push({ data: output(remaining), variables, edge })
    } else if (isObject(rule)) {
      const { holds, fails } = evaluateTest(rule, edge.pointer, { ...environment, input: remaining })
      remaining = fails
      if (holds === undefined) continue
      const variables = assignJsonPath(
        rule['Assign'],
        [...edge.pointer, 'Assign'],
        { ...environment, input: holds },
        arrival.variables,
      )
      departures.push({ data: output(holds), variables, edge })
    }
  }
  return { departures }
}

const errorOutput = (state: StateNode, edge: Edge, before: Shape): Shape => {
  const text = ofType('string')
  const origin: Origin = {
    kind: 'catch',
    text: `the error output that catcher ${edge.index + 1} of "${state.name}" puts in place of the input`,
    catcher: { state, pointer: edge.pointer, before },
  }
  return objectOf(
    new Map([
      ['Error', always(text)],
      ['Cause', always(text)],
    ]),
    origin,
  )
}

const departByCatch = (state: StateNode, arrival: Arrival, environment: Environment): Departure[] =>
  state.edges
    .filter(edge => edge.kind === 'catch')
    .map(edge => {
      const { fields } = state.catchers[edge.index] as (typeof state.catchers)[number]
      const error = errorOutput(state, edge, arrival.data)
      const variables = assignJsonPath(
        fields['Assign'],
        [...edge.pointer, 'Assign'],
        { ...environment, input: error },
        arrival.variables,
      )
      return { data: writeResult(fields['ResultPath'], arrival.data, error), variables, edge }
    })

/** What the state itself makes, before ResultSelector; `undefined` where it never comes out. */
const resultOf = (
  state: StateNode,
  environment: Environment,
  arrival: Arrival,
  context: TransferContext,
): Shape | undefined => {
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
  const itemsPath = typeof fields['ItemsPath'] === 'string' ? parsePath(fields['ItemsPath']) : undefined
  const items =
    itemsPath === undefined
      ? environment.input
      : readPath(itemsPath, environment, [...state.pointer, 'ItemsPath'])
  return runItems(state, items, environment, arrival, context)
}

const callTask = (
  state: StateNode,
  argument: Shape,
  environment: Environment,
  context: TransferContext,
  field: 'Parameters' | 'Arguments',
): Shape => {
  const { kind, wait } = integrationOf(state.fields['Resource'])
  const credentials = state.fields['Credentials']
  if (isObject(credentials) && field === 'Parameters') {
    evaluateTemplate(
      credentials,
      [...state.pointer, 'Credentials'],
      environment,
      templateOrigin(state, 'Credentials'),
    )
  }
  const contract = context.findContract(state)
  const output = contract === undefined ? unknown : outputOf(contract)
  const given = state.fields[field] === undefined ? state.pointer : [...state.pointer, field]
  if (kind !== 'lambda-invoke') {
    if (contract !== undefined) context.onCall?.(state, argument, given)
    return wait === 'response' || kind === 'activity' ? output : unknown
  }
  const payload = argument.kind === 'known' ? argument.object?.fields.get('Payload') : undefined
  if (contract !== undefined && payload?.presence === 'always')
    context.onCall?.(state, payload.shape, [...given, 'Payload'])
  return wait === 'callback' ? unknown : invokeResult(output)
}

const outputs = new WeakMap<TaskContract, Shape>()

const outputOf = (contract: TaskContract): Shape => {
  const known = outputs.get(contract)
  if (known !== undefined) return known
  const shape = shapeOfSchema(contract.output, {
    kind: 'schema',
    text: `the output schema of "${contract.name}"`,
  })
  outputs.set(contract, shape)
  return shape
}

const invokeResult = (payload: Shape): Shape =>
  objectOf(
    new Map<string, Field>([
      ['ExecutedVersion', always(ofType('string'))],
      ['Payload', always(payload)],
      ['SdkHttpMetadata', always(unknown)],
      ['SdkResponseMetadata', always(unknown)],
      ['StatusCode', always(ofType('number'))],
    ]),
    { kind: 'other', text: 'the result of lambda:invoke' },
    'maybe',
  )

const runBranches = (state: StateNode, arrival: Arrival, context: TransferContext): Shape | undefined => {
  const results = state.inner.map(scope => context.runInner(scope, arrival, context.item))
  return results.every(result => result !== undefined) ? tupleOf(results) : undefined
}

const runItems = (
  state: StateNode,
  items: Shape,
  environment: Environment,
  arrival: Arrival,
  context: TransferContext,
): Shape | undefined => {
  context.onItems?.(state, items)
  const array = items.kind === 'known' ? items.array : undefined
  const value = array?.items ?? unknown
  const item: MapItem = { value }
  const scope = state.inner[0]
  if (scope === undefined) return unknown
  const inner: Environment = {
    ...environment,
    context: () => contextObject(state, context.executionInput, item),
  }
  const selected = selectItem(state, value, inner)
  const batched = batchItems(state, selected, environment)
  const distributed = scope.kind === 'distributed'
  const variables = distributed ? noVariables : arrival.variables
  const result = context.runInner(scope, { data: batched, variables }, item)
  if (distributed && state.fields['ResultWriter'] !== undefined) return unknown
  return arrayOf(result ?? unknown, array?.mostItems)
}

const selectItem = (state: StateNode, value: Shape, environment: Environment): Shape => {
  const field = state.fields['ItemSelector'] === undefined ? 'Parameters' : 'ItemSelector'
  const template = state.fields[field]
  if (template === undefined) return value
  const origin = templateOrigin(state, field)
  const at = [...state.pointer, field]
  return state.language === 'JSONata'
    ? evaluateJsonata(template, at, environment, origin)
    : evaluateTemplate(template, at, environment, origin)
}

const batchItems = (state: StateNode, item: Shape, environment: Environment): Shape => {
  const batcher = state.fields['ItemBatcher']
  if (!isObject(batcher)) return item
  const origin = templateOrigin(state, 'ItemBatcher')
  const fields = new Map([['Items', always(arrayOf(item))]])
  const at = [...state.pointer, 'ItemBatcher', 'BatchInput']
  if (batcher['BatchInput'] !== undefined) {
    const made =
      state.language === 'JSONata'
        ? evaluateJsonata(batcher['BatchInput'], at, environment, origin)
        : evaluateTemplate(batcher['BatchInput'], at, environment, origin)
    fields.set('BatchInput', always(made))
  }
  return objectOf(fields, origin)
}

/** No variable is assigned. */
export const noVariables: Shape = objectOf(new Map(), { kind: 'other', text: 'the variables' })

const transferJsonata = (
  state: StateNode,
  arrival: Arrival,
  environment: Environment,
  context: TransferContext,
): Transfer => {
  const at = (field: string): Pointer => [...state.pointer, field]
  if (state.type === 'Choice') return chooseJsonata(state, arrival, environment)
  for (const field of [
    'Seconds',
    'Timestamp',
    'TimeoutSeconds',
    'HeartbeatSeconds',
    'MaxConcurrency',
    'ToleratedFailurePercentage',
    'ToleratedFailureCount',
  ]) {
    if (state.fields[field] !== undefined)
      evaluateJsonata(state.fields[field], at(field), environment, templateOrigin(state, field))
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

const applyOutput = (
  fields: StateNode['fields'],
  pointer: Pointer,
  environment: Environment,
  otherwise: Shape,
  variables: Shape,
  origin: Origin,
): Arrival => {
  const { Output: output, Assign: assign } = fields
  const data =
    output === undefined ? otherwise : evaluateJsonata(output, [...pointer, 'Output'], environment, origin)
  const made = isObject(assign)
    ? evaluateJsonata(assign, [...pointer, 'Assign'], environment, origin)
    : undefined
  return { data, variables: made === undefined ? variables : addVariables(variables, made) }
}

const chooseJsonata = (state: StateNode, arrival: Arrival, environment: Environment): Transfer => {
  const rules = isArray(state.fields['Choices']) ? state.fields['Choices'] : []
  const origin = templateOrigin(state, 'Output')
  const departures = state.edges.map(edge => {
    const rule = rules[edge.index]
    if (edge.kind === 'default' || !isObject(rule)) {
      return {
        ...applyOutput(state.fields, state.pointer, environment, arrival.data, arrival.variables, origin),
        edge,
      }
    }
    return { ...applyOutput(rule, edge.pointer, environment, arrival.data, arrival.variables, origin), edge }
  })
  return { departures }
}

const jsonataResult = (
  state: StateNode,
  environment: Environment,
  arrival: Arrival,
  context: TransferContext,
): Shape | undefined => {
  const { fields } = state
  const at = [...state.pointer, 'Arguments']
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
          [...state.pointer, 'Items'],
          environment,
          templateOrigin(state, 'Items'),
        )
  return runItems(state, fields['ItemReader'] === undefined ? items : unknown, environment, arrival, context)
}
