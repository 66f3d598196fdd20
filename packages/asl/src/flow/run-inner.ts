import { isObject } from '../json.ts'
import type { StateNode } from '../machine/machine.ts'
import { type Arrival, noVariables, type TransferContext, templateOrigin } from './arrival.ts'
import { contextObject, type MapItem } from './context-object.ts'
import type { Environment } from './environment.ts'
import { evaluateJsonata } from './jsonata.ts'
import { always, arrayOf, objectOf, type Shape, tupleOf, unknown } from './shape.ts'
import { evaluateTemplate } from './template.ts'

export const runBranches = (
  state: StateNode,
  arrival: Arrival,
  context: TransferContext,
): Shape | undefined => {
  const results = state.inner.map(scope => context.runInner(scope, arrival, context.item))
  return results.every(result => result !== undefined) ? tupleOf(results) : undefined
}

export const runItems = (
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
